import { CallbackError, type CartOptions, Fairterm, FairtermError, type FairtermOptions, verifyCallback } from 'fairterm/client';
import { draftOrders, type ShopifyOptions } from './draft-orders.ts';
import { isFromShopify } from './signature.ts';

export interface FinancingOptions extends FairtermOptions, ShopifyOptions {
  /** The shop as buyers see it, and the server of the app that this runs on. Both without a slash at the end. */
  shopUrl: string;
  appUrl: string;
  appSecret: string;
  callbackSecrets: readonly string[];
}

/** How long a buyer waits for a checkout to open. */
const PATIENCE_MS = 10_000;

/** The two routes of a Shopify app. Its app proxy leads `/apps/financing/…` of the shop to this server. */
export function createFinancing({
  shopUrl,
  appUrl,
  appSecret,
  callbackSecrets,
  adminUrl,
  adminToken,
  ...service
}: FinancingOptions) {
  const fairterm = new Fairterm(service);
  const drafts = draftOrders({ adminUrl, adminToken });

  /** `GET /checkout?variant=…`, where the button leads: a draft order at Shopify's price, a cart for it, and on to its checkout. */
  async function startCheckout(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    if (!isFromShopify(searchParams, appSecret, Date.now() / 1_000)) return new Response('Not from Shopify', { status: 401 });
    const variantId = /^\d{1,20}$/.exec(searchParams.get('variant') ?? '')?.[0];
    try {
      const draft = variantId && (await drafts.create(variantId));
      if (!draft) return new Response('There is no such variant', { status: 404 });
      const options: CartOptions = {
        orderRef: draft.id,
        customTotal: draft.totalCents,
        callbackUrl: `${appUrl}/callback`,
        completeUrl: `${shopUrl}/pages/thank-you`,
        errorUrl: shopUrl,
      };
      const { url } = await fairterm.carts.create({ options }, { signal: AbortSignal.timeout(PATIENCE_MS) });
      const location = new URL(url);
      // A button whose `mode` is `popup` or `modal` sends how the checkout is shown.
      const display = searchParams.get('display');
      if (display) location.searchParams.set('display', display);
      return new Response(null, { status: 303, headers: { location: location.href, 'cache-control': 'no-store' } });
    } catch (error) {
      // Shopify or the service rejected the request or timed out. The buyer is still in the shop and can pay another way.
      console.error(`No checkout for variant ${variantId}:`, error);
      return new Response('Financing is not available just now. Please choose another way to pay.', { status: 503 });
    }
  }

  /** `POST /callback`, where the service reports a purchase until it is answered 2xx: more than once, if need be. */
  async function takeCallback(request: Request): Promise<Response> {
    try {
      const body = await request.text();
      const { transactionId, orderRef } = await verifyCallback({ body, headers: request.headers, secrets: callbackSecrets });
      return new Response(null, { status: (await confirm(orderRef, transactionId)) ? 204 : 404 });
    } catch (error) {
      if (error instanceof CallbackError) return new Response(error.message, { status: 401 });
      throw error;
    }
  }

  /** The draft becomes an order once its financing is authorized. @returns Whether there is such a draft. */
  async function confirm(orderRef: string, transactionId: string): Promise<boolean> {
    const draft = await drafts.find(orderRef);
    if (!draft) return false;
    if (draft.status === 'COMPLETED') return true;
    const { total, status, merchantOrderId } = await fairterm.transactions.retrieve(transactionId);
    // A draft that stays open is one to be looked at: what was signed is not what it costs.
    if (total !== draft.totalCents) return true;
    if (status === 'PENDING') {
      try {
        await fairterm.transactions.authorize(transactionId, { merchantOrderId: orderRef });
      } catch (error) {
        if (!(error instanceof FairtermError) || !error.isCardDecline) throw error;
        await fairterm.transactions.cancel(transactionId);
        return true;
      }
    } else if (status !== 'AUTHORIZED' || merchantOrderId !== orderRef) return true;
    await drafts.complete(orderRef);
    return true;
  }

  return { startCheckout, takeCallback };
}
