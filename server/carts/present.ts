import { asLowAs } from '../../shared/as-low-as.ts';
import type { Cart } from '../../shared/wire/cart.ts';
import { optionsOf, type PricedCart } from './carts.ts';
import { cartTotals } from './totals.ts';

/**
 * A cart as the merchant API answers it. The "as low as" price leaves shipping out, which the buyer has yet to choose.
 *
 * @param publicUrl - Where buyers reach the service, without a slash at the end.
 */
export function presentCart({ cart, program }: PricedCart, publicUrl: string): Cart {
  const options = optionsOf(cart);
  return {
    id: cart.id,
    merchantId: cart.merchant_id,
    cartName: options.cartName ?? '',
    expiration: cart.expires_on,
    url: checkoutUrl(publicUrl, cart.code),
    createdBy: cart.created_by,
    isCustomTotal: options.customTotal !== undefined,
    options,
    asLowAs: asLowAs(program, Math.max(1, cartTotals(options, undefined).totalCents)),
  };
}

function checkoutUrl(publicUrl: string, code: string): string {
  return `${publicUrl}/c/${code}`;
}
