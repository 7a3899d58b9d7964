import { allocate } from '../../shared/allocate.ts';

/** A line of a transaction, as far as its worth goes. `price` is cents for one piece. */
export interface PricedLine {
  price: number;
  quantity: number;
}

/** What the worth of lines is reckoned from beside their prices, in cents. */
export interface Costs {
  /** What they are worth together (see `worthOfLines`). */
  linesWorthCents: number;
  taxCents: number | null;
  discountsCents: number;
}

/**
 * What each line is worth, in whole cents that add up to what all are worth.
 *
 * That is price times quantity, less the line's share of the discounts, plus its share of the tax, both by price times
 * quantity and the largest remainder. Where lines do not add up (a `customTotal` wins over them, and so does what was
 * left when they came with an authorization), each is worth its part of that by the same method: it has discounts and tax in it.
 *
 * @see decisions/0010-adjustments.md
 */
export function lineValues(lines: readonly PricedLine[], costs: Costs): number[] {
  if (lines.length === 0) return [];
  const gross = lines.map(grossOf);
  const discounts = allocate(costs.discountsCents, gross);
  const taxes = allocate(costs.taxCents ?? 0, gross);
  const net = gross.map((cents, index) => Math.max(0, cents - discounts[index]! + taxes[index]!));

  const addsUp = sum(net) === costs.linesWorthCents;
  return addsUp ? net : allocate(costs.linesWorthCents, gross);
}

/** What the lines of a cart are worth together: what was financed, less shipping. */
export function worthOfLines({ totalCents, shippingCents }: { totalCents: number; shippingCents: number }): number {
  return Math.max(0, totalCents - shippingCents);
}

/** A transaction that gets other lines with its authorization. Amounts are cents. */
export interface Exchange {
  before: readonly PricedLine[];
  beforeWorthCents: number;
  after: readonly PricedLine[];
  /** What was canceled until then, by amounts alone. */
  canceledCents: number;
  /** What is left. */
  leftCents: number;
  shippingCents: number;
}

/**
 * What lines are worth together that take the place of others: what is left, less shipping.
 *
 * Shipping counts as canceled, at most as much of it as was canceled at all, as far as what is left without it would not pay for
 * the lines at the rate of those before, whose prices had discounts and tax to them as well.
 *
 * @see decisions/0010-adjustments.md
 */
export function worthOfOtherLines(exchange: Exchange): number {
  const { before, beforeWorthCents, after, canceledCents, leftCents, shippingCents } = exchange;
  const grossBefore = sum(before.map(grossOf));
  const rate = grossBefore === 0 ? 1 : beforeWorthCents / grossBefore;
  const expectedCents = Math.round(sum(after.map(grossOf)) * rate);

  const leastCents = leftCents - shippingCents;
  const mostCents = leastCents + Math.min(shippingCents, canceledCents);
  return Math.max(0, Math.min(Math.max(expectedCents, leastCents), mostCents));
}

/**
 * What the first `pieces` of a line are worth together: the part of each piece by the largest remainder, so that all of
 * them are worth exactly what the line is, in whatever portions they go.
 *
 * @param pieces - From 0 to `quantity`.
 *
 * @example
 * firstPieces(100, 3, 2) // 67: the pieces are worth 34, 33 and 33
 */
export function firstPieces(valueCents: number, quantity: number, pieces: number): number {
  const odd = valueCents % quantity;
  return ((valueCents - odd) / quantity) * pieces + Math.min(pieces, odd);
}

function grossOf({ price, quantity }: PricedLine): number {
  return price * quantity;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, cents) => total + cents, 0);
}
