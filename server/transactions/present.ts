import { is } from 'superstruct';
import {
  type Adjustment,
  AdjustmentReason,
  type CardPortion,
  type CardPortionState,
  type CurrentFinancing,
  type Financing,
  type LineCount,
  type Transaction as PresentedTransaction,
} from '../../shared/wire/transaction.ts';
import type { Query } from '../db/database.ts';
import { idOf } from '../ids.ts';
import { listCardOperations } from '../notifications/outbox.ts';
import type { Instant } from '../time.ts';
import { addQuantities, adjustable, lineAmountsOf } from './adjustments.ts';
import { cardStateOf, hasHoldExpired, remainingCardCents } from './card.ts';
import { type CurrentLoan, readLoan } from './loan.ts';
import { type JournalEntry, listEvents, type Transaction } from './store.ts';

/** Presents a transaction in the merchant API. Reads the card operations of a purchase with a card. */
export async function presentTransaction(query: Query, transaction: Transaction, now: Instant): Promise<PresentedTransaction> {
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
    financing: await presentFinancing(query, transaction),
    card: await presentCard(query, transaction, now),
  };
}

/** Presents the cancels and refunds of a transaction. A pure function of its journal. */
export function presentAdjustments(transaction: Transaction, journal: readonly JournalEntry[]): Adjustment[] {
  const adjustments: Adjustment[] = [];
  let adjusted: LineCount[] = [];
  for (const entry of journal) {
    const { type, sequence, amountCents, lines, reference, reason, at, actor } = entry;
    if (type !== 'canceled' && type !== 'refunded') continue;
    // Line items can be replaced only before some of them are canceled, so these are the ones of each adjustment.
    const amounts = lineAmountsOf({ amountCents, lines }, { ...adjustable(transaction), adjusted });
    adjustments.push({
      id: idOf(`${transaction.id}/adjustment`, sequence, at),
      type: type === 'canceled' ? 'cancel' : 'refund',
      amount: amountCents,
      lines: lines.map(({ sku, quantity }, index) => ({ sku, quantity, amount: amounts[index]! })),
      reference: reference ?? '',
      reason: is(reason, AdjustmentReason) ? reason : null,
      createdAt: at,
      actor,
    });
    adjusted = addQuantities(adjusted, lines);
  }
  return adjustments;
}

async function presentFinancing(query: Query, transaction: Transaction): Promise<Financing | null> {
  const { financing } = transaction;
  if (!financing) return null;
  const loan = await readLoan(query, transaction);
  return { ...financing, loanNumber: financing.loanNumber ?? null, current: currentOf(financing.amount, loan) };
}

/** Presents the loan after changes; null while it is as signed, and if its payments are not known. */
function currentOf(signedCents: number, { state, payments, reducedCents, calculatedBy }: CurrentLoan): CurrentFinancing | null {
  if (payments === null) return null;
  const amounts = payments.map(({ amountCents }) => amountCents);
  return {
    amount: state === 'void' || state === 'refunded' ? 0 : signedCents - reducedCents,
    monthly: Math.max(0, ...amounts),
    totalOfPayments: amounts.reduce((sum, cents) => sum + cents, 0),
    payments: payments.map(({ dueOn: dueDate, amountCents: amount }) => ({ dueDate, amount })),
    calculatedBy,
  };
}

/** Presents the card portion that remains after cancellations and refunds; null if all of the purchase is financed. */
async function presentCard(query: Query, transaction: Transaction, now: Instant): Promise<CardPortion | null> {
  const { cardHold } = transaction;
  if (transaction.cardCents === 0) return null;
  const state = await readCardState(query, transaction, now);
  const holdExpiresAt = ((state === 'held' || state === 'expired') && cardHold?.expiresAt) || null;
  return { amount: remainingCardCents(cardStateOf(transaction)), state, holdExpiresAt };
}

/** Returns what the gateway has done. A capture, release or refund that is pending changes nothing yet. */
async function readCardState(query: Query, row: Transaction, now: Instant): Promise<CardPortionState> {
  const { id, status, cardHold, cardReference } = row;
  const isDeclined = cardHold?.outcome === 'declined';
  if (status === 'PENDING') return isDeclined ? 'declined' : 'pending';
  if (status === 'AUTHORIZED') {
    if (isDeclined) return 'declined';
    return cardHold && hasHoldExpired(cardHold, now) ? 'expired' : cardHold?.outcome === 'unknown' ? 'pending' : 'held';
  }
  const all = await listCardOperations(query, [id]);
  const operations = all.filter(({ reference }) => reference === cardReference);
  const isDone = (type: string) => operations.some((one) => one.type === type && one.isDone);
  if (operations.some(({ type }) => type === 'capture')) {
    if (operations.some((one) => one.type === 'capture' && one.hasFailed)) return 'capture-failed';
    if (!isDone('capture')) return 'held';
    return status === 'REFUNDED' && operations.every((one) => one.isDone) ? 'refunded' : 'captured';
  }
  if (isDeclined) return 'declined';
  const mayBeHeld = cardHold?.outcome === 'unknown' || (await listEvents(query, id)).some(({ type }) => type === 'authorized');
  if (!mayBeHeld) return 'none';
  return isDone('release') ? 'released' : 'held';
}
