import { array, enums, is } from 'superstruct';
import { AdjustmentReason, AdjustmentReference, LineCount, type TransactionStatus } from '../../../shared/wire/transaction.ts';
import type { Instant } from '../../base/time.ts';
import { addQuantities } from './adjustments.ts';
import { type TransitionName, transactionStatusAfter } from './lifecycle.ts';

export interface JournalRow {
  sequence: number;
  type: string;
  amountCents: number;
  /** The part of a cancel that reduced the card portion before the loan. */
  cardCents: number;
  lines: unknown;
  reason: string | null;
  /** The merchant's reference of a cancel or refund. */
  reference: string | null;
  at: Instant;
}

/** State of a transaction, recalculated from its journal. Amounts are in cents. */
export interface RebuiltTransaction {
  revision: number;
  status: TransactionStatus;
  statusSince: Instant;
  total: number;
  adjustedTotal: number;
  canceled: number;
  refunded: number;
  /** The part of the card portion that was canceled before the loan. */
  cardReduced: number;
  /** Quantities that were canceled or refunded, per sku. */
  adjusted: LineCount[];
}

/** Reasons of an expiry, which the service causes. */
const ExpiryReason = enums(['not-authorized-in-time', 'not-settled-in-time']);

/** The transition of each type of row; null if the row is allowed in every status. */
const transitionOf: Record<string, TransitionName | null> = {
  authorized: 'authorize',
  settled: 'settle',
  canceled: 'cancel',
  refunded: 'refund',
  expired: 'expire',
  shipped: 'ship',
  'order-id-set': null,
  'card-declined': null,
  'card-capture-failed': null,
  'card-captured': null,
};

/**
 * Returns the state of a transaction after the next row of its journal.
 *
 * @param before - State before the row; undefined for the first row.
 * @throws Error - the row is not possible in that state; the message states why.
 */
export function rebuild(before: RebuiltTransaction | undefined, row: JournalRow): RebuiltTransaction {
  const { sequence, type, amountCents: cents, cardCents, reason, reference, at } = row;
  const expected = (before?.revision ?? 0) + 1;
  if (sequence !== expected) throw new Error(`expected row ${expected}, but found ${sequence}`);
  if (!Number.isSafeInteger(cents) || cents < 0) throw new Error(`row ${sequence} has ${cents} cents, which is not an amount`);
  if (!before) {
    if (type !== 'created') throw new Error(`expected the first row to be "created", but found "${type}"`);
    return {
      revision: sequence,
      status: 'PENDING',
      statusSince: at,
      total: cents,
      adjustedTotal: cents,
      canceled: 0,
      refunded: 0,
      cardReduced: 0,
      adjusted: [],
    };
  }

  const transition = transitionOf[type];
  if (transition === undefined) throw new Error(`row ${sequence} has the unknown type "${type}"`);
  const canceled = before.canceled + (transition === 'cancel' ? cents : 0);
  const refunded = before.refunded + (transition === 'refund' ? cents : 0);
  const adjustedTotal = before.total - canceled - refunded;
  if (adjustedTotal < 0) {
    throw new Error(`row ${sequence} is "${type}" of ${cents} cents, but ${before.adjustedTotal} were left`);
  }
  if (cardCents < 0 || cardCents > (transition === 'cancel' ? cents : 0)) {
    throw new Error(`row ${sequence} is "${type}" of ${cents} cents and reduces the card portion by ${cardCents}`);
  }
  const isAdjustment = transition === 'cancel' || transition === 'refund';
  const isKnownReason = isAdjustment ? is(reason, AdjustmentReason) : type === 'expired' && is(reason, ExpiryReason);
  if (reason !== null && !isKnownReason) throw new Error(`row ${sequence} is "${type}" for the reason "${reason}"`);
  if (reference !== null && !(isAdjustment && is(reference, AdjustmentReference))) {
    throw new Error(`row ${sequence} is "${type}" with the reference "${reference}"`);
  }
  const status = transition === null ? before.status : transactionStatusAfter(transition, before.status, adjustedTotal);
  return {
    ...before,
    revision: sequence,
    status,
    statusSince: status === before.status ? before.statusSince : at,
    adjustedTotal,
    canceled,
    refunded,
    cardReduced: before.cardReduced + cardCents,
    adjusted: addQuantities(before.adjusted, quantitiesIn(row)),
  };
}

/** Returns the quantities that a row canceled or refunded. @throws Error - they cannot be parsed. */
export function quantitiesIn({ sequence, lines }: Pick<JournalRow, 'sequence' | 'lines'>): LineCount[] {
  if (is(lines, array(LineCount))) return lines;
  throw new Error(`row ${sequence} has quantities that cannot be parsed`);
}
