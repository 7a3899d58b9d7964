import { isDeepStrictEqual } from 'node:util';
import type { ActionRequest, AdjustmentRequest } from '../../../shared/wire/transaction.ts';
import type { Query } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Instant } from '../../base/time.ts';
import { addQuantities, adjustable, adjustmentOf, isLimitedByKept, keptByRefunds } from './adjustments.ts';
import { cardPartOfCancel } from './card.ts';
import { transactionStatusAfter } from './lifecycle.ts';
import { toLineItems, replacementLineValue } from './line-items.ts';
import { listEntries, type NewEntry, type Transaction } from './store.ts';

/** A transaction after an action, and the entry of its journal. */
export interface Decision {
  after: Transaction;
  entry: Omit<NewEntry, 'actor'>;
  /** The amount that earlier refunds kept and this one does not return. Absent if it is 0, and for actions that it does not affect. */
  keptCents?: number | undefined;
}

/** @throws ServiceError `changed-meanwhile` - the transaction has another revision than the one that was seen. */
export function requireRevision(row: Transaction, revision: number | undefined): void {
  if (revision !== undefined && row.revision !== revision) throw changedMeanwhile(row);
}

/** Returns the error of a transaction that another request has changed. */
export function changedMeanwhile({ id }: Transaction): ServiceError {
  return new ServiceError('changed-meanwhile', `Transaction ${id} was changed by another request; please retry.`);
}

/**
 * Returns the transaction after `request`, and its journal entry. Reads the journal only for a refund that depends on earlier ones.
 *
 * @throws ServiceError - see `decide`.
 */
export async function readDecision(query: Query, row: Transaction, request: ActionRequest, now: Instant): Promise<Decision> {
  if (!isLimitedByKept(request, row)) return decide(row, request, now);
  const keptCents = keptByRefunds(adjustable(row), await listEntries(query, row.id));
  // A refund by amount before the first one that kept something may have paid a part of it.
  const remainingKeptCents = Math.min(keptCents, row.adjustedTotalCents);
  return { ...decide(row, request, now, keptCents), ...(keptCents > 0 && { keptCents: remainingKeptCents }) };
}

/**
 * Returns the transaction after `request`, and its journal entry. A pure function without database or clock.
 *
 * @param keptCents - What earlier refunds kept, if `isLimitedByKept`.
 * @throws ServiceError `wrong-state`, `amount-mismatch`, `amount-too-large`, `quantity-too-large`, `line-items-in-use`
 */
export function decide(row: Transaction, request: ActionRequest, now: Instant, keptCents = 0): Decision {
  if (request.type === 'authorize') return authorize(row, request, now);
  if (request.type === 'settle') return settle(row, request, now);
  return adjust(row, request.type, request, now, keptCents);
}

function authorize(row: Transaction, request: ActionRequest & { type: 'authorize' }, now: Instant): Decision {
  const status = transactionStatusAfter('authorize', row.status, row.adjustedTotalCents);
  requireRemainingAmount(row, request);
  return {
    after: {
      ...row,
      status,
      statusSince: now,
      merchantOrderId: request.merchantOrderId ?? row.merchantOrderId,
      ...linesAfter(row, request),
    },
    entry: { type: 'authorized', amountCents: row.adjustedTotalCents, at: now },
  };
}

/**
 * Returns the line items after an authorization. Identical line items change nothing. Other line items replace the previous ones, and
 * their value is the remaining amount less shipping.
 *
 * @throws ServiceError `line-items-in-use` - some of the previous line items were canceled.
 */
function linesAfter(
  row: Transaction,
  { lineItems }: ActionRequest & { type: 'authorize' },
): Pick<Transaction, 'lineItems' | 'lineItemsCents'> {
  const { lineItems: before, lineItemsCents } = row;
  const after = toLineItems(lineItems ?? []);
  if (after.length === 0 || isDeepStrictEqual(after, before)) return { lineItems: before, lineItemsCents };
  if (row.adjustedQuantities.length > 0) {
    throw new ServiceError(
      'line-items-in-use',
      'Cannot replace the line items: some of them have been canceled. Omit `lineItems`.',
    );
  }
  return {
    lineItems: after,
    lineItemsCents: replacementLineValue({
      before,
      beforeValueCents: lineItemsCents,
      after,
      canceledCents: row.canceledCents,
      leftCents: row.adjustedTotalCents,
      shippingCents: row.shippingCents,
    }),
  };
}

function settle(row: Transaction, request: ActionRequest & { type: 'settle' }, now: Instant): Decision {
  const status = transactionStatusAfter('settle', row.status, row.adjustedTotalCents);
  requireRemainingAmount(row, request);
  return {
    after: { ...row, status, statusSince: now },
    entry: { type: 'settled', amountCents: row.adjustedTotalCents, at: now },
  };
}

/** An authorization or settlement always has the remaining amount. A merchant who sends another one expects that one. */
function requireRemainingAmount(
  { adjustedTotalCents: leftCents }: Transaction,
  { type, amount = leftCents }: ActionRequest & { type: 'authorize' | 'settle' },
): void {
  if (amount === leftCents) return;
  throw new ServiceError(
    'amount-mismatch',
    `Cannot ${type} ${amount} cents: ${leftCents} are left. Omit \`amount\`, or cancel what you do not need first.`,
  );
}

function adjust(
  row: Transaction,
  verb: 'cancel' | 'refund',
  request: AdjustmentRequest,
  now: Instant,
  keptCents: number,
): Decision {
  // Check the status first: a canceled transaction has no remaining amount.
  transactionStatusAfter(verb, row.status, row.adjustedTotalCents);
  const { amountCents, lines, requestedCents } = adjustmentOf(verb, request, adjustable(row), keptCents);

  const leftCents = row.adjustedTotalCents - amountCents;
  const status = transactionStatusAfter(verb, row.status, leftCents);
  const column = verb === 'cancel' ? 'canceledCents' : 'refundedCents';
  const cardCents = verb === 'cancel' ? cardPartOfCancel(row, amountCents) : 0;
  return {
    after: {
      ...row,
      status,
      statusSince: status === row.status ? row.statusSince : now,
      adjustedTotalCents: leftCents,
      [column]: row[column] + amountCents,
      cardReducedCents: row.cardReducedCents + cardCents,
      adjustedQuantities: addQuantities(row.adjustedQuantities, lines),
    },
    entry: {
      type: verb === 'cancel' ? 'canceled' : 'refunded',
      amountCents,
      cardCents,
      requestedCents,
      lines,
      reference: request.reference,
      reason: request.reason,
      at: now,
    },
  };
}
