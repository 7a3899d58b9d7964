import { Fairterm, FairtermError, type FairtermOptions, type Transaction } from '@fairterm/client';
import { ConfigService, isGraphQlErrorResult, LanguageCode, type OrderProcess, OrderService } from '@vendure/core';
import { Payment, PaymentMethodHandler, Refund, TransactionalConnection, UserInputError } from '@vendure/core';

/** The options of `FairtermPlugin.init`, with those of the client. */
export interface PluginOptions extends FairtermOptions {
  /** Callback secrets, `whsec_…`: two during a rotation. */
  callbackSecrets: readonly string[];
  /** Public URL of the Vendure server, without a trailing slash: `https://api.shop.example`. */
  vendureUrl: string;
  /** Page of the storefront to which a buyer returns after signing. */
  completeUrl: string;
  /** Page of the storefront where the buyer can select another payment method. */
  errorUrl: string;
}

/** Key of the transaction in the metadata of a payment. The shop API cannot send a symbol, so that only `Checkout` can pay. */
export const SIGNED = Symbol('signed transaction');
const REFUND_PREFIX = 'vendure:refund:';

export let options: PluginOptions;
export let fairterm: Fairterm;
let connection: TransactionalConnection;
let orders: OrderService;

/** @throws TypeError | RangeError if an option is missing or invalid, usually because an environment variable is not set. */
export function configure(given: PluginOptions): void {
  for (const name of ['callbackSecrets', 'vendureUrl', 'completeUrl', 'errorUrl'] as const)
    if (String(given[name] ?? '') === '') throw new TypeError(`FairtermPlugin: expected the option ${name}`);
  options = given;
  // A transaction of the database is open during a call and its retries.
  fairterm = new Fairterm({ totalTimeoutMs: 15_000, ...given });
}

/** Payments by a purchase that the buyer has signed at Fairterm. */
export const fairtermHandler = new PaymentMethodHandler({
  code: 'fairterm',
  description: [{ languageCode: LanguageCode.en, value: 'Financing by Fairterm' }],
  args: {},
  init: (injector) => {
    connection = injector.get(TransactionalConnection);
    orders = injector.get(OrderService);
    const { precision = 2 } = injector.get(ConfigService).entityOptions.moneyStrategy;
    if (precision !== 2) throw new RangeError(`FairtermPlugin: expected prices with 2 decimals, received ${precision}`);
  },
  createPayment: async (_ctx, order, amount, _args, metadata) => {
    const declined = (errorMessage: string) => ({ amount, state: 'Declined' as const, errorMessage });
    const transaction = (metadata as { [SIGNED]?: Transaction })[SIGNED];
    if (order.currencyCode !== 'USD') return declined(`Expected the currency USD, but received ${order.currencyCode}`);
    if (transaction?.adjustedTotal !== amount)
      return declined('Expected a signed purchase of this amount: call startFairtermCheckout');
    const { serviceTransactionId: id, status } = transaction;
    try {
      const request = { amount, merchantOrderId: order.code };
      if (status === 'PENDING') await ensure(id, 'AUTHORIZED', () => fairterm.transactions.authorize(id, request));
    } catch (error) {
      if (error instanceof FairtermError && error.isCardDecline) return declined(error.description);
      throw error;
    }
    return { amount, state: 'Authorized' as const, transactionId: id, metadata: { fairterm: true } };
  },
  settlePayment: (_ctx, _order, payment) => changePayment(payment, 'SETTLED', 'settle'),
  cancelPayment: (_ctx, _order, payment) => changePayment(payment, 'CANCELED', 'cancel'),
  // Vendure stores no refund that failed. One whose answer was lost is found by its number, which a stored refund increments.
  createRefund: async (ctx, _input, amount, _order, { id: paymentId, transactionId: id }) => {
    await connection.getRepository(ctx, Payment).findOne({ where: { id: paymentId }, ...rowLock(connection) });
    const refunds = await connection.getRepository(ctx, Refund).find({ where: { paymentId }, ...rowLock(connection) });
    const stored = refunds.filter(({ transactionId }) => transactionId?.startsWith(REFUND_PREFIX));
    const reference = `${REFUND_PREFIX}${stored.length + 1}`;

    const adjustments = await fairterm.transactions.adjustments(id);
    const lost = adjustments.find((adjustment) => adjustment.reference === reference);
    if (!lost) await fairterm.transactions.refund(id, { amount, reference });
    else if (lost.amount !== amount) {
      const made = (lost.amount / 100).toFixed(2);
      throw new UserInputError(`A refund of $${made} was made, but its answer was lost. Refund this amount first.`);
    }
    return { state: 'Settled', transactionId: reference };
  },
});

/** Cancels the authorized payments of a canceled order. If that fails, the order is not canceled. */
export const cancelingOrderProcess: OrderProcess<string> = {
  onTransitionEnd: async (_from, to, { ctx, order }) => {
    if (to !== 'Cancelled') return;
    for (const { id, metadata, state } of await orders.getOrderPayments(ctx, order.id)) {
      if (state !== 'Authorized' || !metadata['fairterm']) continue;
      const result = await orders.cancelPayment(ctx, id);
      if (isGraphQlErrorResult(result))
        throw new UserInputError('paymentErrorMessage' in result ? result.paymentErrorMessage : result.message);
    }
  },
};

/** Changes a transaction. Ignores an error if it has the status: the answer was lost, or another request was faster. */
export async function ensure(id: string, status: Transaction['status'], change: () => Promise<Transaction>): Promise<void> {
  try {
    await change();
  } catch (error) {
    const transaction = await fairterm.transactions.retrieve(id).catch(() => undefined);
    if (transaction?.status !== status) throw error;
  }
}

/** Changes a payment. By default, one that could not be changed would have the state Error, in which it cannot be settled. */
async function changePayment({ transactionId: id }: Payment, status: 'SETTLED' | 'CANCELED', action: 'settle' | 'cancel') {
  try {
    await ensure(id, status, () => fairterm.transactions[action](id));
    return { success: true as const };
  } catch (error) {
    return { success: false as const, state: 'Authorized' as const, errorMessage: error instanceof Error ? error.message : '' };
  }
}

/** Returns the option of a query that locks its rows until the database transaction ends. SQLite has no row locks. */
export function rowLock({ rawConnection }: TransactionalConnection) {
  return /sqlite|sqljs/.test(rawConnection.options.type) ? undefined : { lock: { mode: 'pessimistic_write' as const } };
}
