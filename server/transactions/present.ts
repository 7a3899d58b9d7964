import type { CardPortion, CardPortionState, Transaction as PresentedTransaction } from '../../shared/wire/transaction.ts';
import type { Query } from '../db/database.ts';
import { listCardOperations } from '../notifications/outbox.ts';
import { cardStateOf, remainingCardCents } from './card.ts';
import { listEvents, type Transaction } from './store.ts';

/** Presents a transaction in the merchant API. Reads the card operations of a purchase with a card. */
export async function presentTransaction(query: Query, transaction: Transaction): Promise<PresentedTransaction> {
  return {
    serviceTransactionId: transaction.id,
    cartId: transaction.cartId,
    status: transaction.status,
    createdAt: transaction.createdAt,
    orderRef: transaction.orderRef,
    merchantOrderId: transaction.merchantOrderId,
    total: transaction.totalCents,
    adjustedTotal: transaction.adjustedTotalCents,
    totalTax: transaction.taxCents,
    shippingCost: transaction.shippingCents,
    shippingMethodCode: transaction.shippingMethodCode,
    shippingMethodName: transaction.shippingMethodName,
    trackingNumber: transaction.trackingNumber,
    carrierName: transaction.carrierName,
    lineItems: transaction.lineItems,
    discounts: transaction.discounts,
    billingContact: transaction.billingContact,
    shippingContact: transaction.shippingContact,
    financing: transaction.financing ? { ...transaction.financing, loanNumber: transaction.financing.loanNumber ?? null } : null,
    card: await presentCard(query, transaction),
  };
}

/** Presents the card portion that remains after cancellations and refunds; null if all of the purchase is financed. */
async function presentCard(query: Query, transaction: Transaction): Promise<CardPortion | null> {
  const { cardHold } = transaction;
  if (transaction.cardCents === 0) return null;
  const state = await readCardState(query, transaction);
  const holdExpiresAt = (state === 'held' && cardHold?.expiresAt) || null;
  return { amount: remainingCardCents(cardStateOf(transaction)), state, holdExpiresAt };
}

/** Returns what the gateway has done. A capture, release or refund that is pending or has failed changes nothing yet. */
async function readCardState(query: Query, { id, status, cardHold }: Transaction): Promise<CardPortionState> {
  const isDeclined = cardHold?.outcome === 'declined';
  if (status === 'PENDING') return isDeclined ? 'declined' : 'pending';
  if (status === 'AUTHORIZED') return 'held';
  const operations = await listCardOperations(query, [id]);
  const isDone = (type: string) => operations.some((one) => one.type === type && one.isDone);
  if (status === 'SETTLED' || status === 'REFUNDED') {
    if (!isDone('capture')) return 'held';
    return status === 'REFUNDED' && operations.every((one) => one.isDone) ? 'refunded' : 'captured';
  }
  const events = await listEvents(query, id);
  const mayBeHeld = cardHold?.outcome === 'unknown' || events.some(({ type }) => type === 'authorized');
  if (!mayBeHeld) return isDeclined ? 'declined' : 'none';
  return isDone('release') ? 'released' : 'held';
}
