import type { Discount, ShippingOption } from '@fairterm/client';
import { findProduct, type Product } from './catalog.ts';

/** A product and its quantity. */
export interface BagLine {
  product: Product;
  quantity: number;
}

/** The products that a visitor has selected. */
export type Bag = readonly BagLine[];

export const MAX_QUANTITY = 5;

/**
 * Reads a bag from the visitor's cookie, for example `turntable.1~amplifier.2`.
 *
 * The cookie is not signed: prices come from the catalog, and entries without a known product and a quantity from 1 to 5 are
 * ignored.
 */
export function readBag(cookie: string | undefined): Bag {
  // A bag with every product is shorter than 500 characters. The limit bounds the work for a forged cookie.
  const pairs = (cookie ?? '').slice(0, 500).split('~');
  return pairs.reduce<Bag>((bag, pair) => {
    const [slug = '', quantity] = pair.split('.');
    const product = findProduct(slug);
    return product ? withQuantity(bag, product, Number(quantity)) : bag;
  }, []);
}

/** Returns the value of the cookie for {@link readBag}. An empty bag has an empty value. */
export function writeBag(bag: Bag): string {
  return bag.map(({ product, quantity }) => `${product.slug}.${quantity}`).join('~');
}

/** Returns the bag with `quantity` of `product`. A quantity of 0 removes the product. If the quantity is invalid, the bag is unchanged. */
export function withQuantity(bag: Bag, product: Product, quantity: number): Bag {
  const isValid = Number.isInteger(quantity) && quantity >= 0 && quantity <= MAX_QUANTITY;
  if (!isValid) return bag;
  if (quantity === 0) return bag.filter((line) => line.product !== product);
  if (quantityOf(bag, product) === 0) return [...bag, { product, quantity }];
  return bag.map((line) => (line.product === product ? { product, quantity } : line));
}

export function quantityOf(bag: Bag, product: Product): number {
  return bag.find((line) => line.product === product)?.quantity ?? 0;
}

/** Returns the number of items of all products. */
export function itemCount(bag: Bag): number {
  return bag.reduce((count, line) => count + line.quantity, 0);
}

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
