import { type Fairterm, FairtermError, type ShippingOption, type Transaction } from 'fairterm/client';
import { formatCents } from './money.ts';
import { expectedTotalCents, logEvent, type Order, type OrderStatus } from './orders.ts';

const confirmations = new WeakMap<Order, Promise<void>>();

/**
 * Authorizes the transaction of an order. Concurrent calls authorize it once.
 *
 * The callback and the thank-you page call this function in any order and any number of times. Both are untrusted: only their
 * transaction id is used, and the transaction is retrieved from the service and compared with the order.
 *
 * @throws FairtermError | UnknownOutcomeError if the service rejects a request or does not respond. The order is unchanged, and the
 *   call can be repeated.
 */
export function confirmOrder(fairterm: Fairterm, order: Order, transactionId: string): Promise<void> {
  const confirmation =
    confirmations.get(order) ?? confirm(fairterm, order, transactionId).finally(() => confirmations.delete(order));
  confirmations.set(order, confirmation);
  return confirmation;
}

async function confirm(fairterm: Fairterm, order: Order, transactionId: string): Promise<void> {
  if (order.status !== 'placed') return;

  const transaction = await fairterm.transactions.retrieve(transactionId);
  logEvent(order, `Retrieved the transaction: ${transaction.status}, ${formatCents(transaction.total)}`);
  const delivery = order.shippingOptions.find(({ typeId }) => typeId === transaction.shippingMethodCode);
  const finish = (status: OrderStatus, text: string) => {
    Object.assign(order, { status, transactionId, delivery });
    logEvent(order, text);
  };

  const mismatch = mismatchOf(order, delivery, transaction);
  if (mismatch) return finish('suspicious', `Not authorized: ${mismatch}`);
  if (transaction.status !== 'PENDING') return finish('confirmed', 'Already authorized, confirmed');

  try {
    await fairterm.transactions.authorize(transactionId, { merchantOrderId: order.orderRef });
    finish('confirmed', 'Authorized the transaction, confirmed');
  } catch (error) {
    if (!(error instanceof FairtermError) || !error.isCardDecline) throw error;
    await fairterm.transactions.cancel(transactionId);
    finish('declined', 'The card was declined, canceled the transaction');
  }
}

/** Returns why a transaction does not match its order, or undefined if it does. */
function mismatchOf(order: Order, delivery: ShippingOption | undefined, transaction: Transaction): string | undefined {
  const { status, total, shippingMethodCode, orderRef, merchantOrderId } = transaction;
  // The id can come from the query of the page, and a transaction of another order can have the same total.
  if (orderRef !== order.orderRef) return `it belongs to order ${orderRef}`;
  if (!delivery) return `its delivery "${shippingMethodCode}" was not offered`;

  const expected = expectedTotalCents(order, delivery);
  if (total !== expected) return `its total is ${formatCents(total)}, the order’s is ${formatCents(expected)}`;

  // If the response to an earlier authorization was lost, the transaction already has the order number.
  const isExpectedStatus =
    status === 'PENDING' || (merchantOrderId === order.orderRef && (status === 'AUTHORIZED' || status === 'SETTLED'));
  return isExpectedStatus ? undefined : `it is ${status}`;
}
