import { Router } from '@koa/router';
import { type Fairterm, type LineCount, type Transaction, UnknownOutcomeError, type WriteOptions } from '@fairterm/client';
import type { Context } from 'koa';
import { create, enums, type Infer, optional, pattern, record, string, type } from 'superstruct';
import { isServiceError } from './errors.ts';
import { type Order, remainingItems } from './orders.ts';
import { orderPage } from './pages/order.ts';
import { ordersPage } from './pages/orders.ts';
import { seeOther, shopForms, showPage } from './respond.ts';
import type { Shop } from './shop.ts';

const ActionForm = type({
  action: enums(['ship', 'settle', 'cancel-items', 'cancel', 'refund-items', 'refund']),
  key: pattern(string(), /^[\w-]{1,50}$/),
  carrierName: optional(string()),
  trackingNumber: optional(string()),
});
type ActionForm = Infer<typeof ActionForm>;

/** The back office, where a merchant ships, settles, cancels and refunds orders. A real shop restricts it to its staff. */
export function backOfficeRoutes(shop: Shop): Router {
  const { fairterm, clientFor, orders, shopUrl, consoleUrl, timeZone, log } = shop;
  const router = new Router();

  const showOrder = async (ctx: Context, order: Order, problem = '') => {
    const retrieved = order.transactionId ? fairterm.transactions.retrieve(order.transactionId) : undefined;
    const transaction = await retrieved?.catch((error: unknown) => {
      if (!isServiceError(error)) throw error;
      log(`Order ${order.orderRef} is shown without its transaction: ${error.message}`);
      problem ||= 'The financing service is not available. Reload this page in a minute.';
      return undefined;
    });
    const key = order.pendingKey ?? crypto.randomUUID();
    showPage(ctx, orderPage({ order, transaction, consoleUrl, timeZone, problem, key }), { status: problem ? 400 : 200 });
  };

  router.get('/orders', (ctx) => showPage(ctx, ordersPage(orders.newestFirst(), timeZone)));

  router.get('/orders/:orderRef', async (ctx) => {
    const order = orders.find(ctx.params.orderRef ?? '');
    if (order) await showOrder(ctx, order);
  });

  router.post('/orders/:orderRef', shopForms(shopUrl), async (ctx) => {
    const order = orders.find(ctx.params.orderRef ?? '');
    if (!order?.transactionId) return;
    const form = create(ctx.request.body, ActionForm);
    const lineItems = form.action.endsWith('-items') ? chosenItems(order, ctx.request.body) : remainingItems(order);
    if (lineItems.length === 0) return showOrder(ctx, order, 'Choose how many of each item.');

    const idempotencyKey = `${form.key}-${form.action}`;
    try {
      const { transactions } = clientFor(order.log);
      const call = { transactions, id: order.transactionId, form, lineItems, options: { idempotencyKey } };
      const transaction = await actions[form.action](call);
      Object.assign(order, { transaction, pendingKey: undefined });
      const isReturn = form.action !== 'ship' && form.action !== 'settle';
      if (isReturn && !order.returns.has(idempotencyKey)) order.returns.set(idempotencyKey, lineItems);
      seeOther(ctx, `/orders/${order.orderRef}`);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      log(`Order ${order.orderRef}: ${form.action} failed: ${error.message}`);
      const isUnknown = error instanceof UnknownOutcomeError;
      order.pendingKey = isUnknown ? form.key : undefined;
      const problem = isUnknown
        ? 'The service did not respond, so the outcome is unknown. Press the same button again: it has its effect once.'
        : `The service rejected this: ${error.message}`;
      await showOrder(ctx, order, problem);
    }
  });

  return router;
}

interface ActionCall {
  transactions: Fairterm['transactions'];
  id: string;
  form: ActionForm;
  lineItems: LineCount[];
  options: WriteOptions;
}

/** Calls of the actions. Without an amount or line items, a cancel or refund is for all that remains. */
const actions: Record<ActionForm['action'], (call: ActionCall) => Promise<Transaction>> = {
  ship: ({ transactions, id, form: { carrierName, trackingNumber }, options }) =>
    transactions.ship(id, { carrierName, trackingNumber }, options),
  settle: ({ transactions, id, options }) => transactions.settle(id, options),
  cancel: ({ transactions, id, options }) => transactions.cancel(id, {}, options),
  'cancel-items': ({ transactions, id, lineItems, options }) => transactions.cancel(id, { lineItems }, options),
  refund: ({ transactions, id, options }) => transactions.refund(id, {}, options),
  'refund-items': ({ transactions, id, lineItems, options }) => transactions.refund(id, { lineItems }, options),
};

/** Returns the items whose quantity is above 0 in a form, which names the fields by the sku. The service rejects too many. */
function chosenItems({ bag }: Order, form: unknown): LineCount[] {
  const quantities = create(form, record(string(), string()));
  return bag
    .map(({ product: { sku } }) => ({ sku, quantity: Number(quantities[sku] ?? 0) }))
    .filter(({ quantity }) => Number.isInteger(quantity) && quantity > 0);
}
