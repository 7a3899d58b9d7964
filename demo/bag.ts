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
