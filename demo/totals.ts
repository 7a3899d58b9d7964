import type { Discount, ShippingOption } from '@fairterm/client';
import type { Bag, BagLine } from './bag.ts';

/** Delivery options, which the buyer selects in the checkout. Costs in cents. */
export const shippingOptions: readonly ShippingOption[] = [
  { type: 'Standard delivery, 3 to 5 days', typeId: 'standard', cost: 0 },
  { type: 'Express delivery, next working day', typeId: 'express', cost: 2_900 },
  { type: 'Delivery and setup by two people', typeId: 'setup', cost: 8_900 },
];

const DISCOUNT_MINIMUM_CENTS = 200_000;
const discount: Discount = { amount: 15_000, description: 'Listening room offer' };

/** Returns the sum of the items before discounts and delivery, in cents. */
export function subtotalCents(bag: Bag): number {
  return bag.reduce((sum, { product, quantity }) => sum + product.priceCents * quantity, 0);
}

/** Returns the discounts: $150 for orders from $2,000. */
export function discountsFor(bag: Bag): Discount[] {
  return subtotalCents(bag) >= DISCOUNT_MINIMUM_CENTS ? [discount] : [];
}

/** Returns the total before delivery, in cents. */
export function bagTotalCents(bag: Bag): number {
  return discountsFor(bag).reduce((total, { amount }) => total - amount, subtotalCents(bag));
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' });

/** Formats an amount in cents: 129900 is `$1,299`, and 129950 is `$1,299.50`. */
export function formatCents(cents: number): string {
  return dollars.format(cents / 100);
}

/** Formats a quantity and a name: `2 × Ember`. */
export function formatLine({ product, quantity }: BagLine): string {
  return `${quantity} × ${product.name}`;
}
