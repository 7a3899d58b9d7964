import { is } from 'superstruct';
import {
  type Adjustment,
  AdjustmentReason,
  type CardPortion,
  type CardPortionState,
  type CurrentFinancing,
  type LineCount,
  type Transaction as PresentedTransaction,
} from '../../../shared/wire/transaction.ts';
import type { Query } from '../../db/database.ts';
import { findApplications } from '../../lending/applications/store.ts';
import { idOf } from '../../base/ids.ts';
import { type EnqueuedCardOperation, listCardOperations } from '../../messages/outbox.ts';
import type { Instant } from '../../base/time.ts';
import { addQuantities, adjustable, lineAmountsOf } from './adjustments.ts';
import { cardStateOf, hasHoldExpired, remainingCardCents } from './card.ts';
import { type CurrentLoan, dependsOnAgreement, dependsOnJournal, isAsSigned, loanAfter } from './loan.ts';
import { type JournalEntry, journalsOf, type Transaction } from './store.ts';

/** Presents a transaction in the merchant API. */
export async function presentTransaction(query: Query, transaction: Transaction, now: Instant): Promise<PresentedTransaction> {
  const [presented] = await presentTransactions(query, [transaction], now);
  return presented!;
}

/**
 * Presents transactions in the merchant API. Reads the journals, agreements and card operations of those that depend on them, each kind
 * with one query.
 */
export async function presentTransactions(
  query: Query,
  transactions: readonly Transaction[],
  now: Instant,
): Promise<PresentedTransaction[]> {
  const withOperations = transactions.filter(dependsOnOperations);
  const withJournal = new Set([...transactions.filter(dependsOnJournal), ...withOperations]);
  const journals = await journalsOf(query, idsOf([...withJournal]));
  const applicationIds = transactions.filter(dependsOnAgreement).map(({ applicationId }) => applicationId);
  const applications = await findApplications(query, applicationIds);
  const operations = await listCardOperations(query, idsOf(withOperations));
  return transactions.map((transaction) => {
    const journal = journals.get(transaction.id) ?? [];
    const disclosure = applications.get(transaction.applicationId)?.paymentAgreements[0]?.disclosure;
    const { financing } = transaction;
    const current = isAsSigned(transaction) ? null : currentOf(financing.amount, loanAfter(transaction, journal, disclosure));
    return {
      ...presentOrder(transaction),
      financing: { ...financing, current },
      card: presentCard(
        transaction,
        journal,
        operations.filter(({ transactionId }) => transactionId === transaction.id),
        now,
      ),
    };
  });
}

function idsOf(transactions: readonly Transaction[]): string[] {
  return transactions.map(({ id }) => id);
}

function presentOrder(transaction: Transaction): Omit<PresentedTransaction, 'financing' | 'card'> {
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

/** Presents the loan after changes; null while it is as signed, and if its payments are not known. */
function currentOf(signedCents: number, { state, payments, reducedCents, calculatedBy }: CurrentLoan): CurrentFinancing | null {
  if (payments === null) return null;
  const amounts = payments.map(({ amountCents }) => amountCents);
  return {
    amount: state === 'void' || state === 'refunded' ? 0 : signedCents - reducedCents,
    monthly: levelOf(amounts),
    totalOfPayments: amounts.reduce((sum, cents) => sum + cents, 0),
    payments: payments.map(({ dueOn: dueDate, amountCents: amount }) => ({ dueDate, amount })),
    calculatedBy,
  };
}

/** Returns the level payment: the most frequent amount, because the first and the last payment may differ, or else the first; 0 for none. */
function levelOf(amounts: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const cents of amounts) counts.set(cents, (counts.get(cents) ?? 0) + 1);
  const [level = 0] = [...counts.keys()].toSorted((a, b) => counts.get(b)! - counts.get(a)!);
  return level;
}

/** Presents the card portion that remains after cancellations and refunds; null if all of the purchase is financed. */
function presentCard(
  transaction: Transaction,
  journal: readonly JournalEntry[],
  operations: readonly EnqueuedCardOperation[],
  now: Instant,
): CardPortion | null {
  const { cardHold } = transaction;
  if (transaction.cardCents === 0) return null;
  const state = cardPortionState(transaction, journal, operations, now);
  const holdExpiresAt = ((state === 'held' || state === 'expired') && cardHold?.expiresAt) || null;
  return { amount: remainingCardCents(cardStateOf(transaction)), state, holdExpiresAt };
}

/** Returns true if the state of the card portion depends on what the gateway has done. */
function dependsOnOperations({ status, cardCents }: Transaction): boolean {
  return cardCents !== 0 && status !== 'PENDING' && status !== 'AUTHORIZED';
}

/** Returns what the gateway has done. A capture, release or refund that is pending changes nothing yet. */
function cardPortionState(
  { status, cardHold, cardReference }: Transaction,
  journal: readonly JournalEntry[],
  all: readonly EnqueuedCardOperation[],
  now: Instant,
): CardPortionState {
  const isDeclined = cardHold?.outcome === 'declined';
  if (status === 'PENDING') return isDeclined ? 'declined' : 'pending';
  if (status === 'AUTHORIZED') {
    if (isDeclined) return 'declined';
    return cardHold && hasHoldExpired(cardHold, now) ? 'expired' : cardHold?.outcome === 'unknown' ? 'pending' : 'held';
  }
  const operations = all.filter(({ reference }) => reference === cardReference);
  const isDone = (type: string) => operations.some((one) => one.type === type && one.isDone);
  if (operations.some(({ type }) => type === 'capture')) {
    if (operations.some((one) => one.type === 'capture' && one.hasFailed)) return 'capture-failed';
    if (!isDone('capture')) return 'held';
    return status === 'REFUNDED' && operations.every((one) => one.isDone) ? 'refunded' : 'captured';
  }
  if (isDeclined) return 'declined';
  const mayBeHeld = cardHold?.outcome === 'unknown' || journal.some(({ type }) => type === 'authorized');
  if (!mayBeHeld) return 'none';
  return isDone('release') ? 'released' : 'held';
}
