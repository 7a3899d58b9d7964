import { disclosure as english } from '../../../shared/languages/en/disclosure.ts';
import type { AsLowAs } from '../../../shared/wire/as-low-as.ts';
import type { Cart } from '../../../shared/wire/cart.ts';
import { quoteOf } from '../../lending/programs/as-low-as/quotes.ts';
import type { Instant } from '../../base/time.ts';
import type { PricedCart } from './carts.ts';
import { cartStatusOf } from './status.ts';
import { cartTotals, preselectedShipping } from './totals.ts';

/**
 * Presents a cart in the merchant API.
 *
 * @param publicUrl - Public URL of the service, without a slash at the end.
 */
export function presentCart(priced: PricedCart, publicUrl: string, now: Instant): Cart {
  const { cart } = priced;
  const options = cart.options;
  return {
    id: cart.id,
    merchantId: cart.merchantId,
    cartName: options.cartName ?? '',
    expiration: cart.expiresOn,
    url: checkoutUrl(publicUrl, cart.code),
    createdBy: cart.createdBy,
    isCustomTotal: options.customTotal !== undefined,
    options,
    asLowAs: asLowAsOf(priced, now),
    ...cartStatusOf(priced, now),
  };
}

/**
 * Returns the "as low as" example of a cart, for the initial total of the checkout, which includes shipping if there is only one option.
 *
 * @param now - The example is for the day in the program's time zone.
 */
export function asLowAsOf({ cart: { options }, program }: PricedCart, now: Instant): AsLowAs {
  const totalCents = Math.max(1, cartTotals(options, preselectedShipping(options)).totalCents);
  return program ? quoteOf(program, totalCents, now, english).asLowAs : NO_EXAMPLE;
}

/** The example of a cart whose program is no longer sold. */
const NO_EXAMPLE: AsLowAs = {
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
