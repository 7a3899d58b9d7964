import { parsedUrl } from '../../shared/url.ts';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { ServiceError } from '../errors.ts';
import { matchesOrigin } from '../merchants/merchants.ts';

/** The addresses of a cart that a buyer, or what they bought, is sent to. */
const ADDRESSES = ['completeUrl', 'errorUrl', 'callbackUrl'] as const;

/**
 * Rejects a cart that redirects to a foreign origin. Carts can be opened from a page without the merchant's secret; anyone who edits
 * that page could otherwise redirect buyers anywhere in the merchant's name.
 *
 * @param origins - The merchant's registered origins.
 * @throws ServiceError `invalid-request`
 */
export function refuseForeignAddresses(options: Pick<CartOptions, (typeof ADDRESSES)[number]>, origins: readonly string[]): void {
  for (const name of ADDRESSES) {
    const address = options[name];
    if (address === undefined || isWithin(address, origins)) continue;
    const shown = JSON.stringify(address.slice(0, 100));
    throw new ServiceError(
      'invalid-request',
      `At path: options.${name} -- Expected an address of a registered origin, ${origins.join(' or ') || 'but none is registered'}, but received ${shown}`,
    );
  }
}

/**
 * Whether browsers take `address` for one of these origins. What other readers of addresses might understand differently is
 * within none: a missing or a third slash, a user name, a backslash, white space.
 */
export function isWithin(address: string, origins: readonly string[]): boolean {
  const origin = PLAIN.test(address) && !MISREAD.test(address) ? parsedUrl(address)?.origin : undefined;
  return origin !== undefined && matchesOrigin(origin, origins);
}

/** `https://host`, without a user name; even an empty one would be. */
const PLAIN = /^https?:\/\/[^/?#@]+([/?#]|$)/i;

/** Backslashes, and whatever is nothing to see. */
const MISREAD = /[\\\s\p{Cc}\p{Cf}\p{Cs}]/u;
