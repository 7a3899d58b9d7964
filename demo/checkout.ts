import { Router } from '@koa/router';
import type { CartItem, CartOptions } from 'fairterm/client';
import type { Context } from 'koa';
import { writeBag, type Bag } from './bag.ts';
import { confirmOrder } from './confirm.ts';
import { isServiceFault } from './errors.ts';
import { formatCents } from './money.ts';
import { note, type Order } from './orders.ts';
import { declinedPage } from './pages/message.ts';
import { ordersPage } from './pages/orders.ts';
import { thankYouPage } from './pages/thank-you.ts';
import { bagOf, keepBag, queryOf, seeOther, showPage } from './respond.ts';
import type { Shop } from './shop.ts';

/** From the bag to the hosted checkout, and back from it. */
export function checkoutRoutes(shop: Shop): Router {
  const { fairterm, orders, shopUrl, log } = shop;
  const router = new Router();

  // GET, because the financing button is a link: it works without JavaScript and opens in a new tab.
  router.get('/checkout/financing', async (ctx) => {
    const bag = bagOf(ctx);
    if (bag.length === 0) return seeOther(ctx, '/bag');
    const order = orders.place(bag);
    note(order, `Asked for a cart of ${formatCents(order.totalCents)} before delivery`);
    const cart = await fairterm.carts.create({ options: cartFor(order, shopUrl) });
    note(order, `Sent the buyer to the checkout of cart ${cart.id}`);
    // A button that opens its checkout in a window says so; the checkout must know it, too.
    const display = queryOf(ctx, 'display');
    seeOther(ctx, display ? `${cart.url}?${new URLSearchParams({ display }).toString()}` : cart.url);
  });

  router.get('/thank-you', async (ctx) => {
    const transactionId = queryOf(ctx, 'transactionId');
    const order = orders.find(queryOf(ctx, 'orderRef'));
    if (!order || transactionId === '') return;

    if (order.status === 'placed') note(order, `The buyer arrived with transaction ${transactionId}`);
    await confirmOrder(fairterm, order, transactionId).catch((error: unknown) => {
      if (!isServiceFault(error)) throw error;
      log(`Order ${order.orderRef} is not confirmed yet: ${error.message}`);
    });
    if (order.status === 'placed') ctx.set('Refresh', '5');
    showPage(ctx, thankYouPage(order, transactionId), { bag: takeBought(ctx, order) });
  });

  router.get('/financing/declined', (ctx) => {
    const order = orders.find(queryOf(ctx, 'orderRef'));
    if (order) note(order, 'The buyer came back without financing');
    showPage(ctx, declinedPage);
  });

  router.get('/orders', (ctx) => showPage(ctx, ordersPage(orders.newestFirst())));

  return router;
}

/** What is left in the bag after an order: all of it, unless it is what was bought. */
function takeBought(ctx: Context, order: Order): Bag {
  const bag = bagOf(ctx);
  if (order.status !== 'confirmed' || writeBag(bag) !== writeBag(order.bag)) return bag;
  keepBag(ctx, []);
  return [];
}

/** The cart for an order: its items at the catalogue's prices, and the four addresses that lead back to this shop. */
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
