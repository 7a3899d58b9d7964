import { type Fairterm, FairtermError, type ShippingOption, type Transaction } from 'fairterm/client';
import { formatCents } from './money.ts';
import { expectedTotalCents, note, type Order, type OrderStatus } from './orders.ts';

const underWay = new WeakMap<Order, Promise<void>>();

/**
 * Authorizes the financing of an order, once, however often and from wherever it is called.
 *
 * Both the callback and the thank-you page call it, and either may come first, twice, or never. Neither is believed:
 * all that they bring is a transaction id, and the transaction is read from the service before anything is decided.
 *
 * @throws FairtermError | NoAnswerError when the service said no or could not be asked. The order is as it was, so calling
 *   again is right.
 */
export function confirmOrder(fairterm: Fairterm, order: Order, transactionId: string): Promise<void> {
  const confirmation = underWay.get(order) ?? confirm(fairterm, order, transactionId).finally(() => underWay.delete(order));
  underWay.set(order, confirmation);
  return confirmation;
}

async function confirm(fairterm: Fairterm, order: Order, transactionId: string): Promise<void> {
  if (order.status !== 'placed') return;

  const transaction = await fairterm.transactions.retrieve(transactionId);
  note(order, `Read the transaction: ${transaction.status}, ${formatCents(transaction.total)}`);
  const delivery = order.shippingOptions.find(({ typeId }) => typeId === transaction.shippingMethodCode);
  const settle = (status: OrderStatus, text: string) => {
    Object.assign(order, { status, transactionId, delivery });
    note(order, text);
  };

  const doubt = doubtAbout(order, delivery, transaction);
  if (doubt) return settle('suspicious', `Not authorized: ${doubt}`);
  if (transaction.status !== 'PENDING') return settle('confirmed', 'It was authorized before: confirmed');

  try {
    await fairterm.transactions.authorize(transactionId, { merchantOrderId: order.orderRef });
    settle('confirmed', 'Authorized it: confirmed');
  } catch (error) {
    if (!(error instanceof FairtermError) || !error.isCardDecline) throw error;
    await fairterm.transactions.cancel(transactionId);
    settle('declined', 'The card was declined: canceled it');
  }
}

/** Why a transaction must not pay for an order that is delivered by `delivery`; nothing when it may. */
function doubtAbout(order: Order, delivery: ShippingOption | undefined, transaction: Transaction): string | undefined {
  const { status, total, shippingMethodCode, merchantOrderId } = transaction;
  if (!delivery) return `its delivery "${shippingMethodCode}" was not offered`;

  const expected = expectedTotalCents(order, delivery);
  if (total !== expected) return `its total is ${formatCents(total)}, the order comes to ${formatCents(expected)}`;

  const isOurs = merchantOrderId === order.orderRef;
  if (!isOurs && merchantOrderId !== '') return `it pays for order ${merchantOrderId}`;

  // It carries our order number already when the answer to an earlier authorization was lost on its way to us.
  const isPayable = status === 'PENDING' || (isOurs && (status === 'AUTHORIZED' || status === 'SETTLED'));
  return isPayable ? undefined : `it is ${status}`;
}
