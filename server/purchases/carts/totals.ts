import type { CartOptions, ShippingOption } from '../../../shared/wire/cart.ts';

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
 * @see server/docs/merchant-api.md, "Create a cart": "overrides all other costs".
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

/** A cart with the chosen shipping option and its totals. */
export interface Purchase {
  options: CartOptions;
  /** Undefined if the cart has no options, or the buyer has not picked one yet. */
  shipping: ShippingOption | undefined;
  totals: CartTotals;
}

/** @param shippingTypeId - `typeId` of the picked option. */
export function purchaseOf(options: CartOptions, shippingTypeId: string | null | undefined): Purchase {
  const shipping = findShipping(options, shippingTypeId);
  return { options, shipping, totals: cartTotals(options, shipping) };
}

/** Returns true if the purchase has a shipping address. */
export function needsShipping({ requireShippingContact, shippingContact, shippingOptions = [] }: CartOptions): boolean {
  return (requireShippingContact ?? false) || shippingContact !== undefined || shippingOptions.length > 0;
}
