import { CallbackError, type CartOptions, Fairterm, FairtermError, type FairtermOptions, verifyCallback } from 'fairterm/client';
import { findVariant } from './catalogue.ts';
import type { Order, Orders } from './orders.ts';

export interface FinancingOptions extends FairtermOptions {
  /** Where browsers and the service reach this shop, without a slash at the end. */
  shopUrl: string;
  /** What callbacks are signed with, `whsec_…`: two while one takes the place of the other. */
  callbackSecrets: readonly string[];
  orders: Orders;
}

/** How long a buyer waits for a checkout to open. */
const PATIENCE_MS = 10_000;

/** The two routes of a shop. They take a `Request` and give a `Response`, as Next.js, SvelteKit, Hono, Deno and Bun have them. */
export function createFinancing({ shopUrl, callbackSecrets, orders, ...service }: FinancingOptions) {
  // The secret of the key pair stays in here.
  const fairterm = new Fairterm(service);

  /** `GET /checkout/financing?sku=…`, where the button leads: an order at our own price, a cart for it, and on to its checkout. */
  async function startCheckout(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const found = findVariant(searchParams.get('sku') ?? '');
    if (!found) return new Response('There is no such article', { status: 404 });

    const { product, variant } = found;
    const { orderRef } = orders.place(variant.sku, variant.priceCents);
    const options: CartOptions = {
      orderRef,
      items: [
        {
          name: `${product.name}, ${variant.name}`,
          sku: variant.sku,
          price: variant.priceCents,
          quantity: 1,
          imageUrl: '',
          detailUrl: `${shopUrl}/products/${product.slug}`,
        },
      ],
      callbackUrl: `${shopUrl}/financing/callback`,
      completeUrl: `${shopUrl}/thank-you`,
      errorUrl: `${shopUrl}/products/${product.slug}`,
    };
    try {
      const { url } = await fairterm.carts.create({ options }, { signal: AbortSignal.timeout(PATIENCE_MS) });
      return leadTo(url, searchParams);
    } catch (error) {
      // The service rejected the cart or timed out. The buyer is still in the shop and can pay another way.
      console.error(`No checkout for order ${orderRef}:`, error);
      return new Response('Financing is not available just now. Please choose another way to pay.', { status: 503 });
    }
  }

  /** `POST /financing/callback`, where the service reports a purchase until it is answered 2xx: more than once, if need be. */
  async function takeCallback(request: Request): Promise<Response> {
    try {
      const body = await request.text();
      const { transactionId, orderRef } = await verifyCallback({ body, headers: request.headers, secrets: callbackSecrets });
      const order = orders.find(orderRef);
      if (!order) return new Response('There is no such order', { status: 404 });
      await confirm(order, transactionId);
      return new Response(null, { status: 204 });
    } catch (error) {
      if (error instanceof CallbackError) return new Response(error.message, { status: 401 });
      throw error;
    }
  }

  /** The signature only authenticates the sender. Read the transaction from the service to find out whether the order is paid. */
  async function confirm(order: Order, transactionId: string): Promise<void> {
    if (order.status !== 'placed') return;
    const { total, status, merchantOrderId } = await fairterm.transactions.retrieve(transactionId);
    const settle = (outcome: Order['status']): void => void Object.assign(order, { status: outcome, transactionId });

    if (total !== order.totalCents) return settle('refused');
    // An earlier callback authorized it, and this server crashed before it stored that.
    if (status === 'AUTHORIZED' && merchantOrderId === order.orderRef) return settle('paid');
    if (status !== 'PENDING') return settle('refused');
    try {
      await fairterm.transactions.authorize(transactionId, { merchantOrderId: order.orderRef });
      settle('paid');
    } catch (error) {
      if (!(error instanceof FairtermError) || !error.isCardDecline) throw error;
      await fairterm.transactions.cancel(transactionId);
      settle('refused');
    }
  }

  return { startCheckout, takeCallback };
}

/** Redirects to the checkout. A button whose `mode` is `popup` or `modal` sends it as `display`. */
function leadTo(cartUrl: string, asked: URLSearchParams): Response {
  const location = new URL(cartUrl);
  const display = asked.get('display');
  if (display) location.searchParams.set('display', display);
  return new Response(null, { status: 303, headers: { location: location.href, 'cache-control': 'no-store' } });
}
