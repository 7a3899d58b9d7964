import { Router } from '@koa/router';
import type { CartItem, CartOptions, ContactInput } from '@fairterm/client';
import type { Context } from 'koa';
import { create, enums, type } from 'superstruct';
import { type Bag, writeBag, bagTotalCents, formatCents, formatLine, shippingOptions } from './bag.ts';
import type { Product } from './catalog.ts';
import { confirmOrder } from './confirm.ts';
import { isServiceError } from './errors.ts';
import type { Order } from './orders.ts';
import { declinedPage } from './pages/message.ts';
import { thankYouPage } from './pages/thank-you.ts';
import { bagOf, queryParam, saveBag, seeOther, shopForms, showPage } from './respond.ts';
import type { Shop } from './shop.ts';
import { html } from '@lit-labs/ssr';
import { labeledValue, type Page } from './pages/layout.ts';

/** The buyer of the demo option "a signed-in buyer": the checkout is prefilled with this address. */
const ADA: ContactInput = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@shop.example',
  phone: '2175550142',
  address: '1 Main Street',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
};

/** The form of the simulated card payment: the `typeId` of a shipping option. */
const CardForm = type({ delivery: enums(shippingOptions.map(({ typeId }) => typeId)) });

/** Routes for the redirect to the hosted checkout, and the pages to which buyers return. */
export function checkoutRoutes(shop: Shop): Router {
  const { fairterm, orders, shopUrl, consoleUrl, log } = shop;
  const router = new Router();

  // GET, because the financing button is a link, which works without JavaScript and can be opened in a new tab.
  router.get('/checkout/financing', async (ctx) => {
    const bag = bagOf(ctx);
    if (bag.length === 0) return seeOther(ctx, '/bag');
    const order = orders.place(bag, 'financing');
    const isSignedIn = queryParam(ctx, 'buyer') === 'ada';
    const cart = await fairterm.carts.create({ options: cartFor(order, shopUrl, isSignedIn ? ADA : undefined) });
    // The button adds `display`, which the checkout needs, if it opens the checkout in a popup or a dialog.
    const display = queryParam(ctx, 'display');
    seeOther(ctx, display ? `${cart.url}?${new URLSearchParams({ display }).toString()}` : cart.url);
  });

  router.get('/checkout/card', (ctx) => {
    const bag = bagOf(ctx);
    if (bag.length === 0) seeOther(ctx, '/bag');
    else showPage(ctx, cardPage(bag));
  });

  router.post('/checkout/card', shopForms(shopUrl), (ctx) => {
    const bag = bagOf(ctx);
    if (bag.length === 0) return seeOther(ctx, '/bag');
    const { delivery } = create(ctx.request.body, CardForm);
    const order = orders.place(bag, 'card');
    Object.assign(order, { status: 'confirmed', delivery: shippingOptions.find(({ typeId }) => typeId === delivery) });
    seeOther(ctx, `/thank-you?orderRef=${order.orderRef}`);
  });

  router.get('/thank-you', async (ctx) => {
    const transactionId = queryParam(ctx, 'transactionId');
    const order = orders.find(queryParam(ctx, 'orderRef'));
    // Only an order with financing has a transaction. Without a response here, `errorPages` responds 404.
    const hasTransaction = transactionId !== '';
    if (!order || hasTransaction !== (order.payment === 'financing')) return;

    if (order.payment === 'financing') {
      const isOwn = await confirmOrder(shop, order, transactionId).catch((error: unknown) => {
        if (!isServiceError(error)) throw error;
        // The page then states that the order is being confirmed. Each refresh, and each callback, tries again.
        log(`Order ${order.orderRef} is not confirmed yet: ${error.message}`);
        return true;
      });
      if (!isOwn) return;
    }
    if (order.status === 'placed') ctx.set('Refresh', '5');
    showPage(ctx, thankYouPage(order, transactionId, consoleUrl), { bag: removePurchasedItems(ctx, order) });
  });

  router.get('/financing/declined', (ctx) => showPage(ctx, declinedPage));

  return router;
}

/** Empties the bag if it is still that of the confirmed order; a bag that was changed since stays. Returns the bag. */
function removePurchasedItems(ctx: Context, order: Order): Bag {
  const bag = bagOf(ctx);
  if (order.status !== 'confirmed' || writeBag(bag) !== writeBag(order.bag)) return bag;
  saveBag(ctx, []);
  return [];
}

/** Returns the line item for one unit of a product. */
export function itemOf({ name, kind, sku, priceCents, slug }: Product, shopUrl: string): CartItem {
  const [imageUrl, detailUrl] = [`${shopUrl}/assets/${slug}.svg`, `${shopUrl}/products/${slug}`];
  return { name: `${name}, ${kind.toLowerCase()}`, sku, price: priceCents, quantity: 1, imageUrl, detailUrl };
}

/** Returns the cart of an order, with the catalog's prices and the URLs of this shop. */
function cartFor({ orderRef, bag, discounts, ...order }: Order, shopUrl: string, contact?: ContactInput): CartOptions {
  const items = bag.map(({ product, quantity }) => ({ ...itemOf(product, shopUrl), quantity }));
  return {
    orderRef,
    callbackUrl: `${shopUrl}/financing/callback`,
    completeUrl: `${shopUrl}/thank-you`,
    errorUrl: `${shopUrl}/financing/declined`,
    items,
    discounts,
    shippingOptions: order.shippingOptions,
    ...(contact && { billingContact: contact, shippingContact: contact }),
  };
}

/** Returns the checkout with a card, which this demo simulates: it asks for no card, and charges nothing. */
function cardPage(bag: Bag): Page {
  const main = html`
    <section class="receipt">
      <h1>Pay by card</h1>
      <p class="lead">This demo has no card processor. The order is placed as if your card had been charged, and nothing is charged.</p>
      <dl class="amounts">
        ${bag.map((line) => labeledValue(formatLine(line), formatCents(line.product.priceCents * line.quantity)))}
        ${labeledValue('Total before delivery', formatCents(bagTotalCents(bag)), 'total')}
      </dl>
      <form action="/checkout/card" method="post">
        <fieldset class="choices">
          <legend>Delivery</legend>
          ${shippingOptions.map(
            ({ type: name, typeId, cost }, index) => html`
              <label>
                <input type="radio" name="delivery" value=${typeId} ?checked=${index === 0} />
                ${name} <span class="quiet">${cost === 0 ? 'Free' : formatCents(cost)}</span>
              </label>
            `,
          )}
        </fieldset>
        <p class="links"><button class="button">Place the order</button> <a href="/bag">Back to your bag</a></p>
      </form>
    </section>
  `;
  return { title: 'Pay by card', main };
}
