import { FairtermError, type ShippingOption, type Transaction } from '@fairterm/client';
import { expectedTotalCents, type Order, type OrderStatus } from './orders.ts';
import type { Shop } from './shop.ts';
import { formatCents } from './bag.ts';

/** The latest confirmation of each order, after which the next one starts. */
const confirmations = new WeakMap<Order, Promise<unknown>>();

/**
 * Authorizes the transaction of an order. Concurrent calls run one after the other, so it is authorized once.
 *
 * The callback and the thank-you page call this function in any order and any number of times. Both are untrusted: only their
 * transaction id is used, and the transaction is retrieved from the service and compared with the order. Only the confirmation is final:
 * after a transaction that does not match, the buyer can still pay the order with another.
 *
 * @returns False if the transaction belongs to another order. Then the order is unchanged.
 * @throws FairtermError | UnknownOutcomeError if the service rejects a request or does not respond. The order is unchanged, and the
 *   call can be repeated.
 */
export function confirmOrder(shop: Shop, order: Order, transactionId: string): Promise<boolean> {
  const previous = confirmations.get(order) ?? Promise.resolve();
  const confirmation = previous.catch(() => undefined).then(() => confirm(shop, order, transactionId));
  confirmations.set(order, confirmation);
  return confirmation;
}

async function confirm({ fairterm, log }: Shop, order: Order, transactionId: string): Promise<boolean> {
  // The same transaction is not tried again, also if it has made the order `suspicious` or `declined`.
  if (order.status === 'confirmed' || order.transactionId === transactionId) return true;

  const transaction = await fairterm.transactions.retrieve(transactionId);
  // The id can come from the query of the page, and a transaction of another order can have the same total.
  if (transaction.orderRef !== order.orderRef) return false;
  const delivery = order.shippingOptions.find(({ typeId }) => typeId === transaction.shippingMethodCode);
  const finish = (status: OrderStatus, latest: Transaction) => {
    Object.assign(order, { status, transactionId, transaction: latest, delivery });
    return true;
  };

  const mismatch = mismatchOf(order, delivery, transaction);
  if (mismatch) {
    log(`Order ${order.orderRef} is not authorized: ${mismatch}`);
    return finish('suspicious', transaction);
  }
  if (transaction.status !== 'PENDING') return finish('confirmed', transaction);

  try {
    const authorized = await fairterm.transactions.authorize(transactionId, { merchantOrderId: order.orderRef });
    return finish('confirmed', authorized);
  } catch (error) {
    if (!(error instanceof FairtermError) || !error.isCardDecline) throw error;
    // The loan alone does not pay the order, so all of it is canceled.
    const canceled = await fairterm.transactions.cancel(transactionId);
    return finish('declined', canceled);
  }
}

/** Returns why a transaction does not match its order, or undefined if it does. */
function mismatchOf(order: Order, delivery: ShippingOption | undefined, transaction: Transaction): string | undefined {
  const { status, total, shippingMethodCode, merchantOrderId } = transaction;
  if (!delivery) return `its delivery "${shippingMethodCode}" was not offered`;

  const expected = expectedTotalCents(order, delivery);
  if (total !== expected) return `its total is ${formatCents(total)}, the order’s is ${formatCents(expected)}`;

  // If the response to an earlier authorization was lost, the transaction already has the order number.
  const isExpectedStatus =
    status === 'PENDING' || (merchantOrderId === order.orderRef && (status === 'AUTHORIZED' || status === 'SETTLED'));
  return isExpectedStatus ? undefined : `it is ${status}`;
}
