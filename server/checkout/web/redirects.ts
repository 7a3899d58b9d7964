import type { Session } from '../session/session.ts';

/** Returns where buyers go when the checkout fails: the cart's `errorUrl`, or the merchant's store. */
export function errorUrlOf({ purchase, merchant }: Pick<Session, 'purchase' | 'merchant'>): string {
  return purchase.options.errorUrl ?? merchant.store_url;
}

export function completeUrlOf({ purchase, merchant }: Pick<Session, 'purchase' | 'merchant'>): string {
  return purchase.options.completeUrl ?? merchant.store_url;
}

/**
 * Returns the redirect of a failed checkout: `errorUrl` verbatim. Clients recognize a failure by the missing `transactionId`.
 *
 * @see Interface, "Events": the customer redirect to errorUrl.
 */
export function errorRedirect(session: Pick<Session, 'purchase' | 'merchant'>): string {
  return inHeader(errorUrlOf(session));
}

/**
 * Returns the redirect of a completed checkout: `completeUrl` with both parameters appended to its query. Its fragment and everything
 * else is unchanged.
 *
 * @see Interface, "Events": the customer redirect to completeUrl.
 */
export function completeRedirect(completeUrl: string, transactionId: string, orderRef: string): string {
  const url = inHeader(completeUrl);
  const hash = url.indexOf('#');
  const address = hash < 0 ? url : url.slice(0, hash);
  const fragment = hash < 0 ? '' : url.slice(hash);
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}${new URLSearchParams({ transactionId, orderRef }).toString()}${fragment}`;
}

/** Encodes characters that a header cannot contain, such as non-ASCII letters, as browsers do. */
function inHeader(url: string): string {
  return PRINTABLE_ASCII.test(url) ? url : new URL(url).href;
}

const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;
