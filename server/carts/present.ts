import type { CivilDate } from '../../shared/dates.ts';
import { english } from '../../shared/disclosure/english.ts';
import type { AsLowAs } from '../../shared/wire/as-low-as.ts';
import type { Cart } from '../../shared/wire/cart.ts';
import { quoteOf } from '../as-low-as/quotes.ts';
import { optionsOf, type PricedCart } from './carts.ts';
import { cartTotals, preselectedShipping } from './totals.ts';

/**
 * A cart as the merchant API answers it. Its "as low as" price is for the total that the checkout opens with: shipping counts when there is
 * only one option, which is preselected, and not while the buyer has yet to choose.
 *
 * @param publicUrl - Where buyers reach the service, without a slash at the end.
 * @param on        - The day of the price.
 */
export function presentCart({ cart, program }: PricedCart, publicUrl: string, on: CivilDate): Cart {
  const options = optionsOf(cart);
  const totalCents = Math.max(1, cartTotals(options, preselectedShipping(options)).totalCents);
  return {
    id: cart.id,
    merchantId: cart.merchant_id,
    cartName: options.cartName ?? '',
    expiration: cart.expires_on,
    url: checkoutUrl(publicUrl, cart.code),
    createdBy: cart.created_by,
    isCustomTotal: options.customTotal !== undefined,
    options,
    asLowAs: program ? quoteOf(program, totalCents, on, english).asLowAs : NOTHING_SOLD,
  };
}

/** The price of a cart whose program has ended. */
const NOTHING_SOLD: AsLowAs = {
  monthly: 0,
  amount: '',
  termLength: 0,
  termInterval: 'Month',
  apr: 0,
  minApr: 0,
  maxApr: 0,
  asLowAsText: '',
};

export function checkoutUrl(publicUrl: string, code: string): string {
  return `${publicUrl}/c/${code}`;
}
