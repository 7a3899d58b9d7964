import { allocate } from '../../../shared/allocate.ts';
import type { AuthorizedLine, LineItem } from '../../../shared/wire/transaction.ts';

/** Price in cents of one unit, and quantity of a line item. */
export interface PricedLine {
  price: number;
  quantity: number;
}

/** Amounts that determine the values of line items together with their prices. */
export interface Costs {
  /** Value of all line items (see `totalLineValue`). */
  lineItemsCents: number;
  taxCents: number | null;
  discountsCents: number;
}

/**
 * Returns the value of each line item in cents. The sum is `lineItemsCents`.
 *
 * The value is price times quantity, less a share of the discounts, plus a share of the tax. Both are allocated by price times quantity
 * with the largest remainder method. If these values have another sum, because of a `customTotal` or of line items that replaced
 * others, `lineItemsCents` is allocated instead.
 *
 * @see server/decisions/0010-adjustments.md
 */
export function lineValues(lines: readonly PricedLine[], costs: Costs): number[] {
  if (lines.length === 0) return [];
  const gross = lines.map(grossOf);
  const discounts = allocate(costs.discountsCents, gross);
  const taxes = allocate(costs.taxCents ?? 0, gross);
  const net = gross.map((cents, index) => Math.max(0, cents - discounts[index]! + taxes[index]!));

  const addsUp = sum(net) === costs.lineItemsCents;
  return addsUp ? net : allocate(costs.lineItemsCents, gross);
}

/** Returns the value of all line items of a cart: the financed total less shipping. */
export function totalLineValue({ totalCents, shippingCents }: { totalCents: number; shippingCents: number }): number {
  return Math.max(0, totalCents - shippingCents);
}

/** A transaction whose line items are replaced. Amounts are in cents. */
export interface LineReplacement {
  before: readonly PricedLine[];
  beforeValueCents: number;
  after: readonly PricedLine[];
  /** Amount of earlier cancels, which had no line items. */
  canceledCents: number;
  /** Remaining amount. */
  leftCents: number;
  shippingCents: number;
}

/**
 * Returns the value of all replacement line items: the remaining amount less shipping.
 *
 * Their expected value includes discounts and tax at the same rate as that of the replaced line items. If the remaining amount less
 * shipping is below the expected value, the difference counts as canceled shipping, up to the canceled amount.
 *
 * @see server/decisions/0010-adjustments.md
 */
export function replacementLineValue(replacement: LineReplacement): number {
  const { before, beforeValueCents, after, canceledCents, leftCents, shippingCents } = replacement;
  const grossBefore = sum(before.map(grossOf));
  const rate = grossBefore === 0 ? 1 : beforeValueCents / grossBefore;
  const expectedCents = Math.round(sum(after.map(grossOf)) * rate);

  const minCents = leftCents - shippingCents;
  const maxCents = minCents + Math.min(shippingCents, canceledCents);
  return Math.max(0, Math.min(Math.max(expectedCents, minCents), maxCents));
}

/**
 * Returns the value of the first units of a line item. The first units absorb the remainder, so that partial cancels and refunds add
 * up to the value of the line item.
 *
 * @param units - From 0 to `quantity`.
 *
 * @example
 * valueOfUnits(100, 3, 2) // 67: the units have the values 34, 33 and 33
 */
export function valueOfUnits(valueCents: number, quantity: number, units: number): number {
  const remainder = valueCents % quantity;
  return ((valueCents - remainder) / quantity) * units + Math.min(units, remainder);
}

function grossOf({ price, quantity }: PricedLine): number {
  return price * quantity;
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, cents) => total + cents, 0);
}

/** Returns the line items of a transaction, identified by position because several may have the same sku. */
export function toLineItems(lines: readonly AuthorizedLine[]): LineItem[] {
  return lines.map(({ price, quantity, sku, product }, index) => {
    const { name, sku: productSku, imageUrl, detailUrl } = product;
    return {
      id: String(index + 1),
      sku: sku ?? productSku,
      price,
      quantity,
      product: { name, sku: productSku, imageUrl, detailUrl },
    };
  });
}
