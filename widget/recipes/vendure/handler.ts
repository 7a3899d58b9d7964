import { FairtermError, type Transaction } from '@fairterm/client';
import { type CreateRefundResult, isGraphQlErrorResult, LanguageCode, type Order, type OrderProcess } from '@vendure/core';
import { OrderService, Payment, type PaymentMetadata, PaymentMethodHandler, PaymentMethodService, Refund } from '@vendure/core';
import { type RequestContext, TransactionalConnection, UserInputError } from '@vendure/core';
import { ensure, fairterm, HANDLER_CODE, rowLock, SIGNED } from './service.ts';

const REFUND_PREFIX = 'vendure:refund:';

let connection: TransactionalConnection;
let methods: PaymentMethodService;
let orders: OrderService;

/** Payments by a purchase that the buyer has signed at Fairterm. */
export const fairtermHandler = new PaymentMethodHandler({
  code: HANDLER_CODE,
  description: [{ languageCode: LanguageCode.en, value: 'Financing by Fairterm' }],
  args: {},
  createPayment: authorize,
  settlePayment: (_ctx, _order, payment) => change(payment, 'SETTLED', 'settle'),
  cancelPayment: (_ctx, _order, payment) => change(payment, 'CANCELED', 'cancel'),
  createRefund: (ctx, _input, amount, _order, payment) => refund(ctx, payment, amount),
});

/** Cancels the authorized payments of a canceled order. If that fails, the order is not canceled. */
export const cancelingOrderProcess: OrderProcess<string> = {
  init: (injector) => {
    connection = injector.get(TransactionalConnection);
    methods = injector.get(PaymentMethodService);
    orders = injector.get(OrderService);
  },
  onTransitionEnd: async (_from, to, { ctx, order }) => {
    if (to !== 'Cancelled') return;
    const { items } = await methods.findAll(ctx);
    for (const { id, method, state } of await orders.getOrderPayments(ctx, order.id)) {
      if (state !== 'Authorized' || !items.some(({ code, handler }) => code === method && handler.code === HANDLER_CODE))
        continue;
      const result = await orders.cancelPayment(ctx, id);
      if (isGraphQlErrorResult(result))
        throw new UserInputError('paymentErrorMessage' in result ? result.paymentErrorMessage : result.message);
    }
  },
};

/** Authorizes the transaction in the metadata. The shop API cannot send a symbol, so that only `Checkout` can pay. */
async function authorize(_ctx: RequestContext, order: Order, amount: number, _args: unknown, metadata: PaymentMetadata) {
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
  return { amount, state: 'Authorized' as const, transactionId: id };
}

async function change({ transactionId: id }: Payment, status: 'SETTLED' | 'CANCELED', action: 'settle' | 'cancel') {
  try {
    await ensure(id, status, () => fairterm.transactions[action](id));
    return { success: true as const };
  } catch (error) {
    // By default, the payment would have the state Error, in which it cannot be settled.
    return { success: false as const, state: 'Authorized' as const, errorMessage: error instanceof Error ? error.message : '' };
  }
}

/**
 * Refunds an amount. Vendure stores no refund that failed. A refund whose answer was lost is found by its number, which only a stored
 * refund increments.
 */
async function refund(ctx: RequestContext, payment: Payment, amount: number): Promise<CreateRefundResult> {
  const { id: paymentId, transactionId: id } = payment;
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
}
