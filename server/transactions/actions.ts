import { isDeepStrictEqual } from 'node:util';
import type { Discount } from '../../shared/wire/cart.ts';
import type {
  ActionRequest,
  AdjustmentRequest,
  LineCount,
  LineItem,
  OrderIdRequest,
  ShipmentRequest,
} from '../../shared/wire/transaction.ts';
import type { Actor } from '../actor.ts';
import type { CardGateway } from '../cards/gateway.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import type { Instant } from '../time.ts';
import { addQuantities, adjustmentOf } from './adjustments.ts';
import { type HoldResult, placeHold, requireHold, saveWithCardOperation } from './card.ts';
import { lockTransactionAt } from './expire.ts';
import { type Lifetimes, statusAfter } from './lifecycle.ts';
import { toLineItems, replacementLineValue } from './line-items.ts';
import { saveTransaction, type TransactionEvent, type TransactionRef, type TransactionRow } from './store.ts';

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
  after: TransactionRow;
  event: Omit<TransactionEvent, 'actor'>;
}

/**
 * Applies an action in one database transaction. An authorization with a card portion takes two: the first one validates it, and the
 * hold is placed between them.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`, `card-declined`, `card-unavailable`, and the errors of `decide`.
 */
export async function act(
  { database, lifetimes, cards, actor }: TransactionDeps,
  name: TransactionRef,
  request: ActionRequest,
  now: Instant,
): Promise<TransactionRow> {
  const row = await write(undefined);
  const needsHold = request.type === 'authorize' && row.status === 'PENDING';
  return needsHold ? write(await placeHold(row, cards)) : row;

  /** Returns the saved transaction; unchanged if a hold must be placed first. */
  function write(hold: HoldResult | undefined): Promise<TransactionRow> {
    return database.write(async (tx) => {
      const before = await lockTransactionAt(tx, lifetimes, name, now);
      const { after, event } = decide(before, request, now);
      if (request.type === 'authorize' && before.card_cents > 0) {
        if (hold === undefined) return before;
        requireHold(hold);
      }
      return saveWithCardOperation(tx, before, after, { ...event, actor });
    });
  }
}

/**
 * Returns the transaction after `request`, and its journal entry. A pure function without database or clock.
 *
 * @throws ServiceError `wrong-state`, `amount-mismatch`, `amount-too-large`, `quantity-too-large`, `line-items-in-use`
 */
export function decide(row: TransactionRow, request: ActionRequest, now: Instant): Decision {
  if (request.type === 'authorize') return authorize(row, request, now);
  if (request.type === 'settle') return settle(row, request, now);
  return adjust(row, request.type, request, now);
}

function authorize(row: TransactionRow, request: ActionRequest & { type: 'authorize' }, now: Instant): Decision {
  const status = statusAfter('authorize', row.status, row.adjusted_total_cents);
  requireRemainingAmount(row, request);
  return {
    after: {
      ...row,
      status,
      status_since: now,
      merchant_order_id: request.merchantOrderId ?? row.merchant_order_id,
      ...linesAfter(row, request),
    },
    event: { type: 'authorized', amount_cents: row.adjusted_total_cents, at: now },
  };
}

/**
 * Returns the line items after an authorization. Identical line items change nothing. Other line items replace the previous ones, and
 * their value is the remaining amount less shipping.
 *
 * @throws ServiceError `line-items-in-use` - some of the previous line items were canceled.
 */
function linesAfter(
  row: TransactionRow,
  { lineItems }: ActionRequest & { type: 'authorize' },
): Pick<TransactionRow, 'line_items_json' | 'line_items_cents'> {
  const { line_items_json, line_items_cents } = row;
  if (!lineItems?.length) return { line_items_json, line_items_cents };
  const before = JSON.parse(line_items_json) as LineItem[];
  const after = toLineItems(lineItems);
  if (isDeepStrictEqual(after, before)) return { line_items_json, line_items_cents };
  if (row.adjusted_quantities_json !== '[]') {
    throw new ServiceError(
      'line-items-in-use',
      'Cannot replace the line items: some of them have been canceled. Omit `lineItems`.',
    );
  }
  return {
    line_items_json: JSON.stringify(after),
    line_items_cents: replacementLineValue({
      before,
      beforeWorthCents: line_items_cents,
      after,
      canceledCents: row.canceled_cents,
      leftCents: row.adjusted_total_cents,
      shippingCents: row.shipping_cents,
    }),
  };
}

function settle(row: TransactionRow, request: ActionRequest & { type: 'settle' }, now: Instant): Decision {
  const status = statusAfter('settle', row.status, row.adjusted_total_cents);
  requireRemainingAmount(row, request);
  return {
    after: { ...row, status, status_since: now },
    event: { type: 'settled', amount_cents: row.adjusted_total_cents, at: now },
  };
}

/** An authorization or settlement always has the remaining amount. A merchant who sends another one expects that one. */
function requireRemainingAmount(
  { adjusted_total_cents: leftCents }: TransactionRow,
  { type, amount = leftCents }: ActionRequest & { type: 'authorize' | 'settle' },
): void {
  if (amount === leftCents) return;
  throw new ServiceError(
    'amount-mismatch',
    `Cannot ${type} ${amount} cents: ${leftCents} are left. Omit \`amount\`, or cancel what you do not need first.`,
  );
}

function adjust(row: TransactionRow, verb: 'cancel' | 'refund', request: AdjustmentRequest, now: Instant): Decision {
  // Check the status first: a canceled transaction has no remaining amount.
  statusAfter(verb, row.status, row.adjusted_total_cents);
  const adjusted = JSON.parse(row.adjusted_quantities_json) as LineCount[];
  const { amountCents, lines, requestedCents } = adjustmentOf(verb, request, {
    leftCents: row.adjusted_total_cents,
    lineItemsCents: row.line_items_cents,
    taxCents: row.tax_cents,
    discountsCents: (JSON.parse(row.discounts_json) as Discount[]).reduce((sum, { amount }) => sum + amount, 0),
    lines: JSON.parse(row.line_items_json) as LineItem[],
    adjusted,
  });

  const leftCents = row.adjusted_total_cents - amountCents;
  const status = statusAfter(verb, row.status, leftCents);
  const column = verb === 'cancel' ? 'canceled_cents' : 'refunded_cents';
  return {
    after: {
      ...row,
      status,
      status_since: status === row.status ? row.status_since : now,
      adjusted_total_cents: leftCents,
      [column]: row[column] + amountCents,
      adjusted_quantities_json: JSON.stringify(addQuantities(adjusted, lines)),
    },
    event: {
      type: verb === 'cancel' ? 'canceled' : 'refunded',
      amount_cents: amountCents,
      requested_cents: requestedCents,
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
): Promise<TransactionRow> {
  return database.write(async (tx) => {
    const row = await lockTransactionAt(tx, lifetimes, name, now);
    const after = { ...row, merchant_order_id: merchantOrderId ?? row.merchant_order_id };
    const isUnchanged = after.merchant_order_id === row.merchant_order_id;
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
): Promise<TransactionRow> {
  return database.write(async (tx) => {
    const row = await lockTransactionAt(tx, lifetimes, name, now);
    statusAfter('ship', row.status, row.adjusted_total_cents);
    const after = {
      ...row,
      tracking_number: trackingNumber ?? row.tracking_number,
      carrier_name: carrierName ?? row.carrier_name,
    };
    const isUnchanged = after.tracking_number === row.tracking_number && after.carrier_name === row.carrier_name;
    return isUnchanged ? row : saveTransaction(tx, after, eventOf('shipped', actor, now));
  });
}

function eventOf(type: 'order-id-set' | 'shipped', actor: Actor, at: Instant): TransactionEvent {
  return { type, amount_cents: 0, actor, at };
}
