import type { CartOptions, ShippingOption } from '../../shared/wire/cart.ts';

/** Amounts of a cart. `totalCents` is what the buyer pays. */
export interface CartTotals {
  itemsCents: number;
  discountsCents: number;
  shippingCents: number;
  taxCents: number | null;
  totalCents: number;
}

/**
 * Returns the totals of a cart with a shipping option. Without one, shipping costs nothing.
 *
 * A `customTotal` replaces the sum of all other amounts.
 *
 * @see Interface, `POST /carts`: "overrides all other costs".
 */
export function cartTotals(options: CartOptions, shipping: ShippingOption | undefined): CartTotals {
  const itemsCents = sum((options.items ?? []).map(({ price, quantity }) => price * quantity));
  const discountsCents = sum((options.discounts ?? []).map(({ amount }) => amount));
  const shippingCents = shipping?.cost ?? 0;
  const taxCents = options.tax ?? null;
  const totalCents = options.customTotal ?? itemsCents - discountsCents + shippingCents + (taxCents ?? 0);
  return { itemsCents, discountsCents, shippingCents, taxCents, totalCents };
}

/** Returns the shipping option with that id, if any. */
export function findShipping({ shippingOptions }: CartOptions, typeId: string | null | undefined): ShippingOption | undefined {
  return shippingOptions?.find((option) => option.typeId === typeId);
}

/** Returns the only shipping option; undefined without options, or with several. */
export function preselectedShipping(options: CartOptions): ShippingOption | undefined {
  return options.shippingOptions?.length === 1 ? options.shippingOptions[0] : undefined;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
