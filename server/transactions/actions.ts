import { isDeepStrictEqual } from 'node:util';
import type { ActionRequest, AdjustmentRequest, OrderIdRequest, ShipmentRequest } from '../../shared/wire/transaction.ts';
import type { Actor } from '../actor.ts';
import type { CardGateway } from '../cards/gateway.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import type { Instant } from '../time.ts';
import { addQuantities, adjustmentOf } from './adjustments.ts';
import { placeHold, requireAuthorized } from './card.ts';
import { lockTransactionAt } from './expire.ts';
import { type Lifetimes, statusAfter } from './lifecycle.ts';
import { toLineItems, replacementLineValue } from './line-items.ts';
import { saveChange } from './save-change.ts';
import {
  saveHold,
  saveTransaction,
  type StoredHold,
  type TransactionEvent,
  type TransactionRef,
  type Transaction,
} from './store.ts';

/** Dependencies of operations on transactions. */
export interface TransactionDeps {
  database: Database;
  lifetimes: Lifetimes;
  /** Charges the card portion. Without a gateway, transactions with a card portion cannot be authorized. */
  cards?: CardGateway | undefined;
  /** The actor for the journal. */
  actor: Actor;
}

export interface Decision {
  after: Transaction;
  event: Omit<TransactionEvent, 'actor'>;
}

/**
 * Applies an action in one database transaction. An authorization with a card portion takes two: the first one validates it, and the
 * hold is placed between them. A declined hold is saved, too, and that the outcome is unknown.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`, `card-declined`, `card-unavailable`, and the errors of `decide`.
 */
export async function act(
  { database, lifetimes, cards, actor }: TransactionDeps,
  name: TransactionRef,
  request: ActionRequest,
  now: Instant,
): Promise<Transaction> {
  const row = await write(undefined);
  const needsHold = request.type === 'authorize' && row.status === 'PENDING';
  if (!needsHold) return row;
  const held = await write(await placeHold(row, cards, now).catch(unknownHold));
  requireAuthorized(held);
  return held;

  /** Saves that a hold may have been placed, so that its release is visible. */
  async function unknownHold(thrown: unknown): Promise<never> {
    // The first error is the one to report.
    if (cards) await write({ outcome: 'unknown' }).catch(() => undefined);
    throw thrown;
  }

  /** Returns the saved transaction; unchanged if a hold must be placed first, and still PENDING without one. */
  function write(hold: StoredHold | undefined): Promise<Transaction> {
    return database.write(async (tx) => {
      const before = await lockTransactionAt(tx, lifetimes, name, now);
      const { after, event } = decide(before, request, now);
      if (request.type === 'authorize' && before.cardCents > 0) {
        if (hold === undefined) return before;
        if (hold.outcome !== 'authorized') return saveHold(tx, { ...before, cardHold: hold });
        after.cardHold = hold;
      }
      return saveChange(tx, before, after, { ...event, actor });
    });
  }
}

/**
 * Returns the transaction after `request`, and its journal entry. A pure function without database or clock.
 *
 * @throws ServiceError `wrong-state`, `amount-mismatch`, `amount-too-large`, `quantity-too-large`, `line-items-in-use`
 */
export function decide(row: Transaction, request: ActionRequest, now: Instant): Decision {
  if (request.type === 'authorize') return authorize(row, request, now);
  if (request.type === 'settle') return settle(row, request, now);
  return adjust(row, request.type, request, now);
}

function authorize(row: Transaction, request: ActionRequest & { type: 'authorize' }, now: Instant): Decision {
  const status = statusAfter('authorize', row.status, row.adjustedTotalCents);
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
  const status = statusAfter('settle', row.status, row.adjustedTotalCents);
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

function adjust(row: Transaction, verb: 'cancel' | 'refund', request: AdjustmentRequest, now: Instant): Decision {
  // Check the status first: a canceled transaction has no remaining amount.
  statusAfter(verb, row.status, row.adjustedTotalCents);
  const { amountCents, lines, requestedCents } = adjustmentOf(verb, request, {
    leftCents: row.adjustedTotalCents,
    lineItemsCents: row.lineItemsCents,
    taxCents: row.taxCents,
    discountsCents: row.discounts.reduce((sum, { amount }) => sum + amount, 0),
    lines: row.lineItems,
    adjusted: row.adjustedQuantities,
  });

  const leftCents = row.adjustedTotalCents - amountCents;
  const status = statusAfter(verb, row.status, leftCents);
  const column = verb === 'cancel' ? 'canceledCents' : 'refundedCents';
  return {
    after: {
      ...row,
      status,
      statusSince: status === row.status ? row.statusSince : now,
      adjustedTotalCents: leftCents,
      [column]: row[column] + amountCents,
      adjustedQuantities: addQuantities(row.adjustedQuantities, lines),
    },
    event: {
      type: verb === 'cancel' ? 'canceled' : 'refunded',
      amountCents,
      requestedCents,
      lines,
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
  { database, lifetimes, actor }: TransactionDeps,
  name: TransactionRef,
  { merchantOrderId }: OrderIdRequest,
  now: Instant,
): Promise<Transaction> {
  return database.write(async (tx) => {
    const row = await lockTransactionAt(tx, lifetimes, name, now);
    const after = { ...row, merchantOrderId: merchantOrderId ?? row.merchantOrderId };
    const isUnchanged = after.merchantOrderId === row.merchantOrderId;
    return isUnchanged ? row : saveTransaction(tx, after, eventOf('order-id-set', actor, now));
  });
}

/**
 * Updates the shipment. Omitted fields do not change.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`; `wrong-state` - the transaction has ended.
 */
export function updateShipment(
  { database, lifetimes, actor }: TransactionDeps,
  name: TransactionRef,
  { trackingNumber, carrierName }: ShipmentRequest,
  now: Instant,
): Promise<Transaction> {
  return database.write(async (tx) => {
    const row = await lockTransactionAt(tx, lifetimes, name, now);
    statusAfter('ship', row.status, row.adjustedTotalCents);
    const after = {
      ...row,
      trackingNumber: trackingNumber ?? row.trackingNumber,
      carrierName: carrierName ?? row.carrierName,
    };
    const isUnchanged = after.trackingNumber === row.trackingNumber && after.carrierName === row.carrierName;
    return isUnchanged ? row : saveTransaction(tx, after, eventOf('shipped', actor, now));
  });
}

function eventOf(type: 'order-id-set' | 'shipped', actor: Actor, at: Instant): TransactionEvent {
  return { type, amountCents: 0, actor, at };
}
