import { allocate } from '../../../shared/allocate.ts';
import type { ActionRequest, AdjustmentRequest, LineCount, LineItem } from '../../../shared/wire/transaction.ts';
import { ServiceError } from '../../base/errors.ts';
import type { JournalEntry, Transaction } from './store.ts';
import { type Costs, lineValues, sum, valueOfUnits } from './line-items.ts';

/** The parts of a transaction that limit cancels and refunds. */
export interface Adjustable extends Costs {
  /** Remaining amount. */
  leftCents: number;
  lines: readonly LineItem[];
  /** Quantities of earlier cancels and refunds; each sku at most once. */
  adjusted: readonly LineCount[];
}

/** Returns the parts of a transaction that limit its cancels and refunds. */
export function adjustable(row: Transaction): Adjustable {
  return {
    leftCents: row.adjustedTotalCents,
    lineItemsCents: row.lineItemsCents,
    taxCents: row.taxCents,
    discountsCents: row.discounts.reduce((cents, { amount }) => cents + amount, 0),
    lines: row.lineItems,
    adjusted: row.adjustedQuantities,
  };
}

/** Amount and quantities of a cancel or refund. */
export interface Adjustment {
  amountCents: number;
  /** Each sku at most once. */
  lines: LineCount[];
  /** Value of the line items of the request, if less than that remained. */
  requestedCents?: number;
}

/**
 * Returns the amount and quantities of a cancel or refund.
 *
 * If there is an `amount`, it is used, and line items are only recorded. Otherwise, the amount is the value of the line items. With all
 * remaining quantities, it is the remaining amount, including shipping, without what the merchant kept. After adjustments by amount, that
 * can be less than the value of these quantities. Without either field, it is everything that remains.
 *
 * @param verb - Verb in error messages.
 * @param keptCents - What earlier refunds have kept, see `keptByRefunds`. Line items alone do not return it. 0 for a cancel.
 * @throws ServiceError `quantity-too-large` - the sku is unknown, or has a smaller remaining quantity; `amount-too-large` - above the
 *   remaining amount.
 * @see server/decisions/0010-adjustments.md
 */
export function adjustmentOf(
  verb: 'cancel' | 'refund',
  request: AdjustmentRequest,
  transaction: Adjustable,
  keptCents = 0,
): Adjustment {
  const requested = addQuantities([], request.lineItems ?? []);
  const remaining = remainingQuantities(transaction);
  for (const line of requested) requireRemaining(verb, line, remaining);

  if (request.amount) return { amountCents: requireWithin(verb, request.amount, transaction.leftCents), lines: requested };
  if (requested.length === 0) return { amountCents: transaction.leftCents, lines: remaining };
  // A refund by amount before the first one that kept something also reduces what remains.
  const availableCents = Math.max(0, transaction.leftCents - keptCents);
  const valueCents = sum(valuesOf(requested, transaction));
  const isEverything = remaining.every(({ sku, quantity }) => quantity === quantityOf(sku, requested));
  if (!isEverything) return { amountCents: requireWithin(verb, valueCents, availableCents, keptCents), lines: requested };
  return { amountCents: availableCents, lines: remaining, ...(valueCents > availableCents && { requestedCents: valueCents }) };
}

/** Returns true if earlier refunds can limit the amount of a request: a refund of line items without an `amount`, which is not the first. */
export function isLimitedByKept(request: ActionRequest, { refundedCents }: Transaction): boolean {
  return refundedCents > 0 && request.type === 'refund' && !request.amount && (request.lineItems ?? []).length > 0;
}

/**
 * Returns the part of the remaining amount that refunds have kept, such as a restocking fee, in cents: a refund of line items by a smaller
 * `amount` keeps the rest of their value. A later refund by amount returns it first. A cancel keeps nothing, because the settlement pays
 * what it leaves.
 *
 * A pure function of the journal. A refund of line items alone keeps nothing while units remain, and after the last units, only a refund by
 * amount, or of everything, is possible.
 *
 * @see server/decisions/0010-adjustments.md
 */
export function keptByRefunds(
  transaction: Omit<Adjustable, 'leftCents' | 'adjusted'>,
  journal: readonly Pick<JournalEntry, 'type' | 'amountCents' | 'lines'>[],
): number {
  let keptCents = 0;
  let adjusted: LineCount[] = [];
  for (const { type, amountCents, lines } of journal) {
    if (type === 'refunded')
      keptCents = Math.max(0, keptCents + sum(valuesOf(lines, { ...transaction, adjusted })) - amountCents);
    adjusted = addQuantities(adjusted, lines);
  }
  return keptCents;
}

/** Returns the sums of quantities by sku. */
export function addQuantities(counts: readonly LineCount[], more: readonly LineCount[]): LineCount[] {
  const sums = new Map<string, number>();
  for (const { sku, quantity } of [...counts, ...more]) sums.set(sku, (sums.get(sku) ?? 0) + quantity);
  return [...sums].map(([sku, quantity]) => ({ sku, quantity }));
}

/** Returns the remaining quantities, without skus that have none. */
export function remainingQuantities({ lines, adjusted }: Pick<Adjustable, 'lines' | 'adjusted'>): LineCount[] {
  return addQuantities([], lines)
    .map(({ sku, quantity }) => ({ sku, quantity: quantity - quantityOf(sku, adjusted) }))
    .filter(({ quantity }) => quantity > 0);
}

/**
 * Returns the parts of a cancel or refund that its quantities account for, in cents: their values, or their shares of the amount if it is
 * less. The rest of the amount is shipping, or was requested by amount.
 *
 * @param transaction - Before the cancel or refund.
 */
export function lineAmountsOf({ amountCents, lines }: Adjustment, transaction: Omit<Adjustable, 'leftCents'>): number[] {
  const values = valuesOf(lines, transaction);
  return sum(values) <= amountCents ? values : allocate(amountCents, values);
}

/** Returns the value of each of the quantities. Line items with the same sku are canceled or refunded in their order. */
function valuesOf(requested: readonly LineCount[], transaction: Omit<Adjustable, 'leftCents'>): number[] {
  const values = lineValues(transaction.lines, transaction);
  const valueOfFirst = (sku: string, quantity: number) => {
    let rest = quantity;
    return transaction.lines.reduce((cents, line, index) => {
      if (line.sku !== sku) return cents;
      const taken = Math.min(rest, line.quantity);
      rest -= taken;
      return cents + valueOfUnits(values[index]!, line.quantity, taken);
    }, 0);
  };
  return requested.map(({ sku, quantity }) => {
    const before = quantityOf(sku, transaction.adjusted);
    return valueOfFirst(sku, before + quantity) - valueOfFirst(sku, before);
  });
}

/** Returns the price of quantities in cents, without shares of discounts and tax. */
export function priceOf(requested: readonly LineCount[], { lines, adjusted }: Pick<Adjustable, 'lines' | 'adjusted'>): number {
  const lineItemsCents = sum(lines.map(({ price, quantity }) => price * quantity));
  return sum(valuesOf(requested, { lines, adjusted, lineItemsCents, taxCents: null, discountsCents: 0 }));
}

function requireRemaining(verb: string, { sku, quantity }: LineCount, remaining: readonly LineCount[]): void {
  const available = quantityOf(sku, remaining);
  if (quantity <= available) return;
  const counted = `${available} ${available === 1 ? 'is' : 'are'} left`;
  throw new ServiceError('quantity-too-large', `Cannot ${verb} ${quantity} of the sku "${sku}": ${counted}.`);
}

function requireWithin(verb: string, amountCents: number, leftCents: number, keptCents = 0): number {
  if (amountCents <= leftCents) return amountCents;
  const kept = keptCents > 0 ? ` without the ${keptCents} that earlier refunds kept` : '';
  throw new ServiceError('amount-too-large', `Cannot ${verb} ${amountCents} cents: ${leftCents} are left${kept}.`);
}

function quantityOf(sku: string, counts: readonly LineCount[]): number {
  return counts.find((count) => count.sku === sku)?.quantity ?? 0;
}
