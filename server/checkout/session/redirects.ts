import type { Session } from './session.ts';

/** Returns where buyers go when the checkout fails: the cart's `errorUrl`, or the merchant's store. */
export function errorUrlOf({ purchase, merchant }: Pick<Session, 'purchase' | 'merchant'>): string {
  return purchase.options.errorUrl ?? merchant.storeUrl;
}

export function completeUrlOf({ purchase, merchant }: Pick<Session, 'purchase' | 'merchant'>): string {
  return purchase.options.completeUrl ?? merchant.storeUrl;
}

/**
 * Returns the redirect of a failed checkout: `errorUrl` verbatim. Clients recognize a failure by the missing `transactionId`.
 *
 * @see server/docs/merchant-api.md: `errorUrl`.
 */
export function errorRedirect(session: Pick<Session, 'purchase' | 'merchant'>): string {
  return inHeader(errorUrlOf(session));
}

/**
 * Returns the redirect of a completed checkout: `completeUrl` with both parameters appended to its query, without parameters of the same
 * names. Its fragment and everything else is unchanged.
 *
 * @see server/docs/merchant-api.md: `completeUrl`.
 */
export function completeRedirect(completeUrl: string, transactionId: string, orderRef: string): string {
  const url = inHeader(completeUrl);
  const hash = url.indexOf('#');
  const address = hash < 0 ? url : url.slice(0, hash);
  const fragment = hash < 0 ? '' : url.slice(hash);
  const start = address.includes('?') ? address.indexOf('?') : address.length;
  const query = address
    .slice(start + 1)
    .split('&')
    .filter(isOther)
    .join('&');
  const separator = query === '' || query.endsWith('&') ? '' : '&';
  const added = new URLSearchParams({ transactionId, orderRef }).toString();
  return `${address.slice(0, start)}?${query}${separator}${added}${fragment}`;
}

/** Returns false for a parameter that the redirect sets. Its name may be percent-encoded. */
function isOther(parameter: string): boolean {
  // After an ampersand, because a leading question mark would not count as a part of the name.
  const parsed = new URLSearchParams(`&${parameter}`);
  return !parsed.has('transactionId') && !parsed.has('orderRef');
}

/** Encodes characters that a header cannot contain, such as non-ASCII letters, as browsers do. */
function inHeader(url: string): string {
  return PRINTABLE_ASCII.test(url) ? url : new URL(url).href;
}

const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;
