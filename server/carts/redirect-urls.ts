import { ANY_PAGE, parseLink, parseUrl } from '../../shared/url.ts';
import type { CartItem, CartOptions } from '../../shared/wire/cart.ts';
import { ServiceError } from '../errors.ts';
import { matchesOrigin } from '../merchants/merchants.ts';
import { type CallbackRules, callbackUrlProblem } from '../notifications/callback-address.ts';

/** The URLs of a cart that buyers are redirected to, or that callbacks are sent to. */
const URL_FIELDS = ['completeUrl', 'errorUrl', 'callbackUrl'] as const;

/**
 * Rejects a cart that redirects to another origin than the merchant's. A page can create carts without the merchant's secret, and anyone
 * who edits that page could otherwise redirect buyers anywhere in the merchant's name.
 *
 * @param origins - The merchant's registered origins.
 * @throws ServiceError `invalid-request`
 */
export function requireOrigins(options: Pick<CartOptions, (typeof URL_FIELDS)[number]>, origins: readonly string[]): void {
  for (const name of URL_FIELDS) {
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
 * Rejects a cart whose callbacks would never be sent. The error contains only the origin, because the URL may contain a password.
 *
 * @throws ServiceError `invalid-request`
 */
export function requireCallbackUrl({ callbackUrl }: Pick<CartOptions, 'callbackUrl'>, rules: CallbackRules): void {
  const problem = callbackUrl === undefined ? undefined : callbackUrlProblem(callbackUrl, rules);
  if (!problem) return;
  const received = JSON.stringify(new URL(callbackUrl!).origin.slice(0, 100));
  throw new ServiceError(
    'invalid-request',
    `At path: options.callbackUrl -- Expected ${problem.expected}, but received ${received}`,
  );
}

/**
 * Returns an item without URLs of foreign origins. A picture of a foreign origin could show anything in the merchant's checkout, and a
 * link could lead the merchant's staff anywhere. URLs that are relative to the shop remain.
 */
export function withoutForeignUrls(item: CartItem, origins: readonly string[]): CartItem {
  const own = (address: string) => (isRelative(address) || isWithin(address, origins) ? address : '');
  return { ...item, imageUrl: own(item.imageUrl), detailUrl: own(item.detailUrl) };
}

function isRelative(address: string): boolean {
  return parseLink(address, ANY_PAGE)?.origin === new URL(ANY_PAGE).origin;
}

/**
 * Returns true if a URL has one of the origins. URLs that browsers and servers could parse differently are rejected: with a missing
 * or third slash, a user name, a backslash or white space.
 */
export function isWithin(address: string, origins: readonly string[]): boolean {
  const origin = PLAIN.test(address) && !AMBIGUOUS.test(address) ? parseUrl(address)?.origin : undefined;
  return origin !== undefined && matchesOrigin(origin, origins);
}

/** `https://host` without a user name, even an empty one. */
const PLAIN = /^https?:\/\/[^/?#@]+([/?#]|$)/i;

/** Backslashes, white space and invisible characters. */
const AMBIGUOUS = /[\\\s\p{Cc}\p{Cf}\p{Cs}]/u;
