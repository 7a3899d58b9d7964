import { findProduct, type Product } from './catalogue.ts';

/** A product and how many of it. */
export interface BagLine {
  product: Product;
  quantity: number;
}

/** What somebody is about to buy. */
export type Bag = readonly BagLine[];

export const MAX_QUANTITY = 5;

/**
 * Reads a bag from the visitor's cookie, `turntable.1~amplifier.2`.
 *
 * The cookie is not signed because it says nothing worth forging: prices come from the catalogue, and whatever does not
 * name a product and a quantity from 1 to 5 is left out.
 */
export function readBag(cookie: string | undefined): Bag {
  const pairs = (cookie ?? '').slice(0, 500).split('~');
  return pairs.reduce<Bag>((bag, pair) => {
    const [slug = '', quantity] = pair.split('.');
    const product = findProduct(slug);
    return product ? withQuantity(bag, product, Number(quantity)) : bag;
  }, []);
}

/** The text that {@link readBag} understands; empty for an empty bag. */
export function writeBag(bag: Bag): string {
  return bag.map(({ product, quantity }) => `${product.slug}.${quantity}`).join('~');
}

/** The bag with `quantity` of `product`. 0 takes the product out; what is no quantity changes nothing. */
export function withQuantity(bag: Bag, product: Product, quantity: number): Bag {
  if (!isQuantity(quantity)) return bag;
  if (quantity === 0) return bag.filter((line) => line.product !== product);
  if (quantityOf(bag, product) === 0) return [...bag, { product, quantity }];
  return bag.map((line) => (line.product === product ? { product, quantity } : line));
}

function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= 0 && quantity <= MAX_QUANTITY;
}

export function quantityOf(bag: Bag, product: Product): number {
  return bag.find((line) => line.product === product)?.quantity ?? 0;
}

/** How many things are in the bag, all products together. */
export function countOf(bag: Bag): number {
  return bag.reduce((count, line) => count + line.quantity, 0);
}
