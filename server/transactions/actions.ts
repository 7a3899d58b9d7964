import { isDeepStrictEqual } from 'node:util';
import type { ActionRequest, AdjustmentRequest, LineCount, LineItem } from '../../shared/wire/transaction.ts';
import type { Discount } from '../../shared/wire/cart.ts';
import { ServiceError } from '../errors.ts';
import type { Instant } from '../time.ts';
import { added, adjustmentOf } from './adjustments.ts';
import { lockTransactionAt, readTransactionAt } from './expire.ts';
import { type HoldAnswer, holdOn, requireHold } from './hold.ts';
import { statusAfter } from './lifecycle.ts';
import { lineItemsOf } from './line-items.ts';
import { worthOfOtherLines } from './line-values.ts';
import type { TransactionDeps, TransactionName } from './deps.ts';
import { save } from './save.ts';
import type { TransactionEvent, TransactionRow } from './store.ts';

export interface Decision {
  after: TransactionRow;
  event: TransactionEvent;
}

/**
 * Carries out one action: read, decide, save, all in one database transaction. Before an authorization, the card gateway is asked.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`, `card-declined`, `card-unavailable`, and what `decide` throws.
 */
export async function act(
  { database, lifetimes, cards }: TransactionDeps,
  name: TransactionName,
  request: ActionRequest,
  now: Instant,
): Promise<TransactionRow> {
  const answer = request.type === 'authorize' ? await asked() : undefined;
  return database.write(async (tx) => {
    const row = await lockTransactionAt(tx, lifetimes, name, now);
    const { after, event } = decide(row, request, now);
    if (request.type === 'authorize') requireHold(row, answer);
    return save(tx, row, after, event);
  });

  /** Validates the action before placing a card hold. If the action is not possible, the write rejects it with the reason. */
  async function asked(): Promise<HoldAnswer> {
    const row = await readTransactionAt(database.query, lifetimes, name, now);
    return isPossible(row, request, now) ? holdOn(row, cards) : undefined;
  }
}

function isPossible(row: TransactionRow, request: ActionRequest, now: Instant): boolean {
  try {
    decide(row, request, now);
    return true;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return false;
    throw thrown;
  }
}

/**
 * Returns the transaction after `request`, and its journal entry. A pure function without database or clock.
 *
 * @throws ServiceError `wrong-state`, `amount-too-large`, `quantity-too-large`, `line-items-in-use`
 */
export function decide(row: TransactionRow, request: ActionRequest, now: Instant): Decision {
  if (request.type === 'authorize') return authorized(row, request, now);
  if (request.type === 'settle') return settled(row, now);
  return adjusted(row, request.type, request, now);
}

function authorized(row: TransactionRow, request: ActionRequest & { type: 'authorize' }, now: Instant): Decision {
  const status = statusAfter('authorize', row.status, row.adjusted_total_cents);
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
 * Lines that come again as they are change nothing; others stand for what is left when they come.
 *
 * @throws ServiceError `line-items-in-use` - pieces of others were canceled, and could no longer be told.
 */
function linesAfter(
  row: TransactionRow,
  { lineItems }: ActionRequest & { type: 'authorize' },
): Pick<TransactionRow, 'line_items_json' | 'lines_worth_cents'> {
  const { line_items_json, lines_worth_cents } = row;
  if (!lineItems?.length) return { line_items_json, lines_worth_cents };
  const before = JSON.parse(line_items_json) as LineItem[];
  const after = lineItemsOf(lineItems);
  if (isDeepStrictEqual(after, before)) return { line_items_json, lines_worth_cents };
  if (row.adjusted_quantities_json !== '[]') {
    throw new ServiceError(
      'line-items-in-use',
      'Cannot associate other line items: some of those that are there have been canceled. Leave `lineItems` out.',
    );
  }
  return {
    line_items_json: JSON.stringify(after),
    lines_worth_cents: worthOfOtherLines({
      before,
      beforeWorthCents: lines_worth_cents,
      after,
      canceledCents: row.canceled_cents,
      leftCents: row.adjusted_total_cents,
      shippingCents: row.shipping_cents,
    }),
  };
}

function settled(row: TransactionRow, now: Instant): Decision {
  const status = statusAfter('settle', row.status, row.adjusted_total_cents);
  return {
    after: { ...row, status, status_since: now },
    event: { type: 'settled', amount_cents: row.adjusted_total_cents, at: now },
  };
}

function adjusted(row: TransactionRow, verb: 'cancel' | 'refund', request: AdjustmentRequest, now: Instant): Decision {
  // Whether it can be done at all comes before how much: nothing is left of what was canceled whole.
  statusAfter(verb, row.status, row.adjusted_total_cents);
  const adjusted = JSON.parse(row.adjusted_quantities_json) as LineCount[];
  const { amountCents, lines } = adjustmentOf(verb, request, {
    leftCents: row.adjusted_total_cents,
    linesWorthCents: row.lines_worth_cents,
    taxCents: row.tax_cents,
    discountsCents: (JSON.parse(row.discounts_json) as Discount[]).reduce((sum, { amount }) => sum + amount, 0),
    lines: JSON.parse(row.line_items_json) as LineItem[],
    adjusted,
  });

  const leftCents = row.adjusted_total_cents - amountCents;
  const status = statusAfter(verb, row.status, leftCents);
  const moved = verb === 'cancel' ? 'canceled_cents' : 'refunded_cents';
  return {
    after: {
      ...row,
      status,
      status_since: status === row.status ? row.status_since : now,
      adjusted_total_cents: leftCents,
      [moved]: row[moved] + amountCents,
      adjusted_quantities_json: JSON.stringify(added(adjusted, lines)),
    },
    event: { type: verb === 'cancel' ? 'canceled' : 'refunded', amount_cents: amountCents, lines, at: now },
  };
}
