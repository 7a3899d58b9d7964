import { Router } from '@koa/router';
import type { CartItem, CartOptions } from 'fairterm/client';
import type { Context } from 'koa';
import { writeBag, type Bag } from './bag.ts';
import { confirmOrder } from './confirm.ts';
import { isServiceError } from './errors.ts';
import { logEvent, type Order } from './orders.ts';
import { declinedPage } from './pages/message.ts';
import { ordersPage } from './pages/orders.ts';
import { thankYouPage } from './pages/thank-you.ts';
import { bagOf, saveBag, queryParam, seeOther, showPage } from './respond.ts';
import type { Shop } from './shop.ts';
import { formatCents } from './totals.ts';

/** Routes for the redirect to the hosted checkout, and the pages to which buyers return. */
export function checkoutRoutes(shop: Shop): Router {
  const { fairterm, orders, shopUrl, log } = shop;
  const router = new Router();

  // GET, because the financing button is a link, which works without JavaScript and can be opened in a new tab.
  router.get('/checkout/financing', async (ctx) => {
    const bag = bagOf(ctx);
    if (bag.length === 0) return seeOther(ctx, '/bag');
    const order = orders.place(bag);
    logEvent(order, `Creating a cart of ${formatCents(order.totalCents)} before delivery`);
    const cart = await fairterm.carts.create({ options: cartFor(order, shopUrl) });
    logEvent(order, `Redirected the buyer to the checkout of cart ${cart.id}`);
    // The button adds `display`, which the checkout needs, if it opens the checkout in a popup or a dialog.
    const display = queryParam(ctx, 'display');
    seeOther(ctx, display ? `${cart.url}?${new URLSearchParams({ display }).toString()}` : cart.url);
  });

  router.get('/thank-you', async (ctx) => {
    const transactionId = queryParam(ctx, 'transactionId');
    const order = orders.find(queryParam(ctx, 'orderRef'));
    if (!order || transactionId === '') return;

    const event = `The buyer returned with transaction ${transactionId}`;
    const isOwn = await confirmOrder(fairterm, order, transactionId, event).catch((error: unknown) => {
      if (!isServiceError(error)) throw error;
      log(`Order ${order.orderRef} is not confirmed yet: ${error.message}`);
      return true;
    });
    if (!isOwn) return;
    if (order.status === 'placed') ctx.set('Refresh', '5');
    showPage(ctx, thankYouPage(order, transactionId), { bag: removePurchasedItems(ctx, order) });
  });

  router.get('/financing/declined', (ctx) => {
    const order = orders.find(queryParam(ctx, 'orderRef'));
    if (order) logEvent(order, 'The buyer returned without financing');
    showPage(ctx, declinedPage);
  });

  router.get('/orders', (ctx) => showPage(ctx, ordersPage(orders.newestFirst())));

  return router;
}

/** Empties the bag if its products were just purchased. Returns the bag. */
function removePurchasedItems(ctx: Context, order: Order): Bag {
  const bag = bagOf(ctx);
  if (order.status !== 'confirmed' || writeBag(bag) !== writeBag(order.bag)) return bag;
  saveBag(ctx, []);
  return [];
}

/** Returns the cart of an order, with the catalog's prices and the URLs of this shop. */
function cartFor({ orderRef, bag, discounts, shippingOptions }: Order, shopUrl: string): CartOptions {
  const items = bag.map(({ product, quantity }): CartItem => ({
    name: `${product.name}, ${product.kind.toLowerCase()}`,
    sku: product.sku,
    price: product.priceCents,
    quantity,
    imageUrl: `${shopUrl}/assets/${product.slug}.svg`,
    detailUrl: `${shopUrl}/products/${product.slug}`,
  }));
  return {
    orderRef,
    callbackUrl: `${shopUrl}/financing/callback`,
    completeUrl: `${shopUrl}/thank-you`,
    errorUrl: `${shopUrl}/financing/declined?orderRef=${orderRef}`,
    items,
    discounts,
    shippingOptions,
  };
}
