import type { CartOptions, ShippingOption } from '../../../shared/wire/cart.ts';
import { type CartTotals, cartTotals } from '../../carts/totals.ts';

/** What a buyer purchases: what the merchant put in the cart, how it ships, and what that comes to. */
export interface Purchase {
  options: CartOptions;
  /** Undefined where there is none to pick, or none is picked yet. */
  shipping: ShippingOption | undefined;
  totals: CartTotals;
}

/** @param shippingTypeId - Of the option that was picked. */
export function purchaseOf(options: CartOptions, shippingTypeId: string | null | undefined): Purchase {
  const shipping = options.shippingOptions?.find(({ typeId }) => typeId === shippingTypeId);
  return { options, shipping, totals: cartTotals(options, shipping) };
}
