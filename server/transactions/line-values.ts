import { allocate } from '../../shared/allocate.ts';

/** A line of a transaction, as far as its worth goes. `price` is cents for one piece. */
export interface PricedLine {
  price: number;
  quantity: number;
}

/** What a transaction costs beside its lines, in cents. */
export interface Costs {
  totalCents: number;
  shippingCents: number;
  taxCents: number | null;
  discountsCents: number;
}

/**
 * What each line is worth, in whole cents that add up to the total less shipping.
 *
 * That is price times quantity, less the line's share of the discounts, plus its share of the tax, both by price times
 * quantity and the largest remainder. Where lines do not add up (a `customTotal` wins over them, and so does what was
 * financed over lines that come with an authorization), they are scaled to the total less shipping by the same method.
 *
 * @see decisions/0010-adjustments.md
 */
export function lineValues(lines: readonly PricedLine[], costs: Costs): number[] {
  if (lines.length === 0) return [];
  const gross = lines.map(({ price, quantity }) => price * quantity);
  const discounts = allocate(costs.discountsCents, gross);
  const taxes = allocate(costs.taxCents ?? 0, gross);
  const net = gross.map((cents, index) => Math.max(0, cents - discounts[index]! + taxes[index]!));

  const goodsCents = Math.max(0, costs.totalCents - costs.shippingCents);
  const addsUp = net.reduce((sum, cents) => sum + cents, 0) === goodsCents;
  return addsUp ? net : allocate(goodsCents, net);
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
