import { ANY_PAGE, parseLink, parseUrl } from '../../../shared/url.ts';
import type { CartItem, CartOptions } from '../../../shared/wire/cart.ts';
import { ServiceError } from '../../base/errors.ts';
import { matchesOrigin, normalizedCallback } from '../../merchants/merchants.ts';
import { type CallbackRules, callbackUrlProblem } from '../../messages/callback-address.ts';

/** The origins and callback URLs that are registered for the pages of a merchant. */
export interface PageRules {
  origins: readonly string[];
  /** Callback URLs, as `normalizedCallback` returns them. */
  callbackUrls: readonly string[];
}

/**
 * Rejects a cart that redirects to another origin than the merchant's, or whose callback is sent to a URL that is not registered. A page
 * can create carts without the merchant's secret, and anyone who edits that page could otherwise redirect buyers anywhere in the
 * merchant's name, or send signed requests to any path of the merchant's servers. In the sandbox, a registered origin suffices for a
 * callback, too.
 *
 * @throws ServiceError `invalid-request`
 */
export function requirePageUrls(
  options: Pick<CartOptions, 'completeUrl' | 'errorUrl' | 'callbackUrl'>,
  { origins, callbackUrls }: PageRules,
  { mode }: CallbackRules,
): void {
  for (const name of ['completeUrl', 'errorUrl', 'callbackUrl'] as const) {
    const address = options[name];
    if (address === undefined) continue;
    if (name === 'callbackUrl') {
      if (callbackUrls.includes(normalizedCallback(address) ?? '')) continue;
      if (mode === 'live') throw notAllowed(name, 'a URL that is registered with `merchant update --add-callback`', address);
    }
    if (isOnOrigin(address, origins)) continue;
    throw notAllowed(name, `an address of a registered origin, ${origins.join(' or ') || 'but none is registered'}`, address);
  }
}

function notAllowed(name: string, expected: string, address: string): ServiceError {
  const shown = JSON.stringify(address.slice(0, 100));
  return new ServiceError('invalid-request', `At path: options.${name} -- Expected ${expected}, but received ${shown}`);
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
  const own = (address: string) => (isRelative(address) || isOnOrigin(address, origins) ? address : '');
  return { ...item, imageUrl: own(item.imageUrl), detailUrl: own(item.detailUrl) };
}

function isRelative(address: string): boolean {
  return parseLink(address, ANY_PAGE)?.origin === new URL(ANY_PAGE).origin;
}

/**
 * Returns true if a URL has one of the origins. URLs that browsers and servers could parse differently are rejected: with a missing
 * or third slash, a user name, a backslash or white space.
 */
export function isOnOrigin(address: string, origins: readonly string[]): boolean {
  const origin = PLAIN.test(address) && !AMBIGUOUS.test(address) ? parseUrl(address)?.origin : undefined;
  return origin !== undefined && matchesOrigin(origin, origins);
}

/** `https://host` without a user name, even an empty one. */
const PLAIN = /^https?:\/\/[^/?#@]+([/?#]|$)/i;

/** Backslashes, white space and invisible characters. */
const AMBIGUOUS = /[\\\s\p{Cc}\p{Cf}\p{Cs}]/u;
