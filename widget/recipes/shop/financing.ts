import { CallbackError, type CartOptions, Fairterm, FairtermError, type FairtermOptions, verifyCallback } from '@fairterm/client';
import { findVariant } from './catalog.ts';
import type { Order, Orders } from './orders.ts';

export interface FinancingOptions extends FairtermOptions {
  /** Public URL of this shop, without a trailing slash. */
  shopUrl: string;
  /** Callback secrets, `whsec_…`: two during a rotation. */
  callbackSecrets: readonly string[];
  orders: Orders;
}

/** Timeout for creating a cart, while the buyer waits. */
const CART_TIMEOUT_MS = 10_000;

/** The currency of the financing programs. Orders in others are not financed. */
const CURRENCY = 'USD';

const unavailable = () => new Response('Financing is not available just now. Please choose another way to pay.', { status: 503 });

/** The two routes of a shop, as functions from `Request` to `Response`, for Next.js, SvelteKit, Hono, Deno and Bun. */
export function createFinancing({ shopUrl, callbackSecrets, orders, ...service }: FinancingOptions) {
  const fairterm = new Fairterm(service);

  /** `GET /checkout/financing?sku=…`, the URL of the button: places an order at the catalog price, creates a cart and redirects to it. */
  async function startCheckout(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const found = findVariant(searchParams.get('sku') ?? '');
    if (!found) return new Response('Product not found', { status: 404 });

    const { product, variant } = found;
    if (product.currency !== CURRENCY) return unavailable();
    const { orderRef } = orders.place(variant.sku, variant.priceCents, product.currency);
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
      const { url } = await fairterm.carts.create({ options }, { signal: AbortSignal.timeout(CART_TIMEOUT_MS) });
      return redirectTo(url, searchParams);
    } catch (error) {
      // The service rejected the cart or timed out. The buyer is still in the shop and can pay another way.
      console.error(`No checkout for order ${orderRef}:`, error);
      return unavailable();
    }
  }

  /** `POST /financing/callback`: confirms the order of a purchase. The service retries the callback until the response is 2xx. */
  async function handleCallback(request: Request): Promise<Response> {
    try {
      const body = await request.text();
      const { transactionId, orderRef } = await verifyCallback({ body, headers: request.headers, secrets: callbackSecrets });
      const order = orders.find(orderRef);
      if (!order) return new Response('Order not found', { status: 404 });
      await orders.change(order, () => confirm(order, transactionId));
      return new Response(null, { status: 204 });
    } catch (error) {
      if (error instanceof CallbackError) return new Response(error.message, { status: 400 });
      throw error;
    }
  }

  /** Compares the transaction with the order and authorizes it. The signature of the callback only authenticates the sender. */
  async function confirm(order: Order, transactionId: string): Promise<void> {
    if (order.status === 'paid') return order.transactionId === transactionId ? undefined : cancelSecond(order, transactionId);
    const { total, status, merchantOrderId } = await fairterm.transactions.retrieve(transactionId);
    const update = (outcome: Order['status']): void => void Object.assign(order, { status: outcome, transactionId });

    if (total !== order.totalCents || order.currency !== CURRENCY) return update('rejected');
    // An earlier callback authorized it, and this server crashed before it stored the result.
    if (status === 'AUTHORIZED' && merchantOrderId === order.orderRef) return update('paid');
    if (status !== 'PENDING') return update('rejected');
    try {
      await fairterm.transactions.authorize(transactionId, { merchantOrderId: order.orderRef });
      update('paid');
    } catch (error) {
      if (!(error instanceof FairtermError) || !error.isCardDecline) throw error;
      await fairterm.transactions.cancel(transactionId);
      update('rejected');
    }
  }

  /** Cancels another purchase of an order that is paid, by financing or another method. The buyer would have to pay both. */
  async function cancelSecond(order: Order, transactionId: string): Promise<void> {
    if (order.notes.some((note) => note.includes(transactionId))) return;
    let { status } = await fairterm.transactions.retrieve(transactionId);
    if (status === 'PENDING' || status === 'AUTHORIZED') ({ status } = await fairterm.transactions.cancel(transactionId));
    order.notes.push(`Transaction ${transactionId} is a second purchase of this order, which was paid. It is ${status}.`);
  }

  return { startCheckout, handleCallback };
}

/** Redirects to the checkout with the `display` parameter, which the button adds if its `mode` is `popup` or `modal`. */
function redirectTo(cartUrl: string, query: URLSearchParams): Response {
  const location = new URL(cartUrl);
  const display = query.get('display');
  if (display) location.searchParams.set('display', display);
  return new Response(null, { status: 303, headers: { location: location.href, 'cache-control': 'no-store' } });
}
