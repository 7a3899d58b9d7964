import { isDeepStrictEqual } from 'node:util';
import type { ActionRequest, AdjustmentRequest, OrderIdRequest, ShipmentRequest } from '../../../shared/wire/transaction.ts';
import type { Actor } from '../../base/actor.ts';
import type { CardGateway } from '../cards/gateway.ts';
import type { Database, Query, Tx } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Instant } from '../../base/time.ts';
import { addQuantities, adjustable, adjustmentOf, isLimitedByKept, keptByRefunds } from './adjustments.ts';
import {
  cardPartOfCancel,
  cardStateOf,
  hasHoldExpired,
  holdError,
  neededHold,
  placeHold,
  remainingCardCents,
  renewReference,
} from './card.ts';
import { type ExpiryRules, lockTransactionAt } from './expire.ts';
import { transactionStatusAfter } from './lifecycle.ts';
import { toLineItems, replacementLineValue } from './line-items.ts';
import { saveChange, saveReference } from './save-change.ts';
import {
  listEntries,
  saveSealedValues,
  type StoredHold,
  type TransactionEvent,
  type TransactionRef,
  type Transaction,
} from './store.ts';

/** Dependencies of operations on transactions. */
export interface TransactionDeps extends ExpiryRules {
  database: Database;
  /** Charges the card portion. Without a gateway, transactions with a card portion cannot be authorized. */
  cards?: CardGateway | undefined;
  /** The actor for the journal. */
  actor: Actor;
  /**
   * The revision that the caller has seen. An action is rejected if it was changed since, so that its amount is the one that was shown, and
   * so that it is not applied twice. Default: any.
   */
  revision?: number | undefined;
}

export interface Decision {
  after: Transaction;
  event: Omit<TransactionEvent, 'actor'>;
  /** The amount that earlier refunds kept and this one does not return. Absent if it is 0, and for actions that it does not affect. */
  keptCents?: number | undefined;
}

/**
 * Applies an action in one database transaction. An action that needs a hold takes two: the first one validates it, and the hold is placed
 * between them. A declined hold is a row of the journal; that the outcome is unknown is saved, too.
 *
 * A hold that has expired or was declined is placed again on a new reference, which is saved before. The earlier reference is released, so
 * that a late request cannot place a hold that is never released.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`, `card-declined`, `card-unavailable`, and the errors of `decide`.
 */
export async function act(
  { database, lifetimes, loanEmails, cards, actor, revision }: TransactionDeps,
  name: TransactionRef,
  request: ActionRequest,
  now: Instant,
): Promise<Transaction> {
  const row = await write(undefined);
  const needed = neededHold(row, request.type, now);
  // An action that was applied needs none.
  if (needed === 'none') return row;
  const place = needed === 'renewed' ? await renew(row) : row;
  const hold = await placeHold(place, cards, now).catch((thrown: unknown) => unknownHold(place, thrown));
  const held = await write({ hold, reference: place.cardReference, isNew: needed === 'renewed' });
  if (held.status !== row.status) return held;
  throw holdError(held);

  /** Saves that a hold may have been placed, so that its release is visible. */
  async function unknownHold({ cardReference: reference }: Transaction, thrown: unknown): Promise<never> {
    // The first error is the one to report.
    if (cards) await write({ hold: { outcome: 'unknown' }, reference, isNew: false }).catch(() => undefined);
    throw thrown;
  }

  /**
   * Saves the action, or only the result of the hold if it was not placed. Saves nothing if `placed` is undefined and the card needs a hold
   * first; the transaction is then returned unchanged.
   */
  function write(placed: { hold: StoredHold; reference: string; isNew: boolean } | undefined): Promise<Transaction> {
    return database.write(async (tx) => {
      const { before, after, event } = await lockAndDecide(tx, { lifetimes, loanEmails, revision }, name, request, now);
      if (!placed) {
        if (neededHold(before, request.type, now) !== 'none') return before;
        return saveChange(tx, before, after, { ...event, actor }, loanEmails);
      }
      const { hold: cardHold, reference, isNew } = placed;
      if (before.cardReference !== reference) throw changedMeanwhile(before);
      const withHold = { ...before, cardHold };
      if (cardHold.outcome === 'declined') {
        const amountCents = remainingCardCents(cardStateOf(before));
        return saveChange(tx, before, withHold, { type: 'card-declined', amountCents, actor, at: now }, loanEmails);
      }
      // An earlier request had placed the hold, and its response was lost.
      const hasExpired = !isNew && before.status === 'AUTHORIZED' && hasHoldExpired(cardHold, now);
      if (cardHold.outcome === 'unknown' || hasExpired) return saveSealedValues(tx, withHold);
      return saveChange(tx, before, { ...after, cardHold }, { ...event, actor }, loanEmails);
    });
  }

  /** Returns the transaction with a new reference for its card, which this or a concurrent request has saved. */
  async function renew(before: Transaction): Promise<Transaction> {
    const cardReference = await renewReference(before, cards);
    return database.write(async (tx) => {
      const current = await lockTransactionAt(tx, { lifetimes, loanEmails }, name, now);
      requireRevision(current, revision);
      decide(current, request, now);
      const stillNeeded = neededHold(current, request.type, now);
      if (stillNeeded === 'none') throw changedMeanwhile(current);
      const isSaved = stillNeeded === 'present' || current.cardReference !== before.cardReference;
      return isSaved ? current : saveReference(tx, current, cardReference, now);
    });
  }
}

/**
 * Locks a transaction, and returns it before and after an action. `saveChange` applies one that needs no hold, such as a refund.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`, and the errors of `decide`.
 */
export async function lockAndDecide(
  tx: Tx,
  { revision, ...rules }: ExpiryRules & Pick<TransactionDeps, 'revision'>,
  name: TransactionRef,
  request: ActionRequest,
  now: Instant,
): Promise<Decision & { before: Transaction }> {
  const before = await lockTransactionAt(tx, rules, name, now);
  requireRevision(before, revision);
  return { before, ...(await readDecision(tx, before, request, now)) };
}

/** @throws ServiceError `changed-meanwhile` - the transaction has another revision than the one that was seen. */
function requireRevision(row: Transaction, revision: number | undefined): void {
  if (revision !== undefined && row.revision !== revision) throw changedMeanwhile(row);
}

function changedMeanwhile({ id }: Transaction): ServiceError {
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
    event: { type: 'authorized', amountCents: row.adjustedTotalCents, at: now },
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
    event: { type: 'settled', amountCents: row.adjustedTotalCents, at: now },
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
    event: {
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

/**
 * Sets the merchant's order id, in any state.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`
 */
export function setOrderId(
  { database, lifetimes, loanEmails, actor }: TransactionDeps,
  name: TransactionRef,
  { merchantOrderId }: OrderIdRequest,
  now: Instant,
): Promise<Transaction> {
  return database.write(async (tx) => {
    const row = await lockTransactionAt(tx, { lifetimes, loanEmails }, name, now);
    const after = { ...row, merchantOrderId: merchantOrderId ?? row.merchantOrderId };
    const isUnchanged = after.merchantOrderId === row.merchantOrderId;
    return isUnchanged ? row : saveChange(tx, row, after, eventOf('order-id-set', actor, now));
  });
}

/**
 * Updates the shipment. Omitted fields do not change.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`; `wrong-state` - the transaction has ended.
 */
export function updateShipment(
  { database, lifetimes, loanEmails, actor }: TransactionDeps,
  name: TransactionRef,
  { trackingNumber, carrierName }: ShipmentRequest,
  now: Instant,
): Promise<Transaction> {
  return database.write(async (tx) => {
    const row = await lockTransactionAt(tx, { lifetimes, loanEmails }, name, now);
    transactionStatusAfter('ship', row.status, row.adjustedTotalCents);
    const after = {
      ...row,
      trackingNumber: trackingNumber ?? row.trackingNumber,
      carrierName: carrierName ?? row.carrierName,
    };
    const isUnchanged = after.trackingNumber === row.trackingNumber && after.carrierName === row.carrierName;
    return isUnchanged ? row : saveChange(tx, row, after, eventOf('shipped', actor, now));
  });
}

function eventOf(type: 'order-id-set' | 'shipped', actor: Actor, at: Instant): TransactionEvent {
  return { type, amountCents: 0, actor, at };
}
