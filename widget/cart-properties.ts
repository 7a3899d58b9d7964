import type { CartOptions } from '../shared/wire/cart.ts';
import type { FinancingOptions } from './options.ts';

/** What a page can say of the cart that its button opens, by the names of `POST /carts`. */
export const CART_PROPERTIES = [
  'items',
  'discounts',
  'shippingOptions',
  'tax',
  'customTotal',
  'shippingContact',
  'billingContact',
  'orderRef',
  'completeUrl',
  'errorUrl',
  'callbackUrl',
  'disableEditShipping',
] as const satisfies (keyof CartOptions & keyof FinancingOptions)[];
