/** Products for sale. A placeholder for your catalog. */
export interface Product {
  slug: string;
  name: string;
  /** ISO 4217 code of its prices. */
  currency: string;
  variants: readonly [Variant, ...Variant[]];
}

export interface Variant {
  sku: string;
  name: string;
  priceCents: number;
}

export const products: readonly [Product, ...Product[]] = [
  {
    slug: 'lounge-chair',
    name: 'Lounge chair',
    currency: 'USD',
    variants: [
      { sku: 'CHAIR-OAK', name: 'Oak', priceCents: 75_000 },
      { sku: 'CHAIR-WALNUT', name: 'Walnut', priceCents: 129_900 },
    ],
  },
];

export const findProduct = (slug: string): Product | undefined => products.find((product) => product.slug === slug);

export function findVariant(sku: string): { product: Product; variant: Variant } | undefined {
  for (const product of products) {
    const variant = product.variants.find((candidate) => candidate.sku === sku);
    if (variant) return { product, variant };
  }
  return undefined;
}

/** Formats cents: `formatCents(75000, 'USD')` returns `$750.00`. */
export const formatCents = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
