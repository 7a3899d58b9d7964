import type { CartOptions, CreateCartRequest } from '../../shared/wire/cart.ts';
import type { OpenedCart } from '../../shared/wire/storefront.ts';
import { CREATED_BY_PAGE } from '../carts/carts.ts';
import { checkoutUrl } from '../carts/present.ts';
import type { CartRow } from '../carts/store.ts';

/**
 * What is asked for by a page, which its visitor can edit: everything that the merchant compares with the order, and nothing that
 * the merchant, or who asks the platform API, would take for the merchant's word (decisions/0025, 0030).
 */
export function requestOfPage(options: CartOptions): CreateCartRequest {
  return { createdBy: CREATED_BY_PAGE, options: { ...options, ...WORDS_OF_MERCHANTS } };
}

const WORDS_OF_MERCHANTS = { createdBy: undefined, cartName: undefined, metadata: undefined, buyerId: undefined };

/** Presents an opened cart to the page, with the URL of its checkout. */
export function presentOpenedCart({ id, code, expires_on }: CartRow, publicUrl: string): OpenedCart {
  return { id, url: checkoutUrl(publicUrl, code), expiration: expires_on };
}
