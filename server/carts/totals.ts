import type { CartOptions, ShippingOption } from '../../shared/wire/cart.ts';

/** What a cart costs, in cents. `totalCents` is what is financed. */
export interface CartTotals {
  itemsCents: number;
  discountsCents: number;
  shippingCents: number;
  taxCents: number | null;
  totalCents: number;
}

/**
 * The totals of a cart with the shipping that was chosen, none while nothing is.
 *
 * A `customTotal` wins over all other costs, which then only inform and need not add up to it.
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

/** The option that needs no choosing: the only one there is. */
export function preselectedShipping(options: CartOptions): ShippingOption | undefined {
  return options.shippingOptions?.length === 1 ? options.shippingOptions[0] : undefined;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
