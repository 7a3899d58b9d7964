import type { Session } from '../session/session.ts';

/** Where a buyer goes when there is no financing: the merchant's `errorUrl` as it was written, or its store. */
export function errorUrlOf({ purchase, merchant }: Pick<Session, 'purchase' | 'merchant'>): string {
  return purchase.options.errorUrl ?? merchant.store_url;
}

export function completeUrlOf({ purchase, merchant }: Pick<Session, 'purchase' | 'merchant'>): string {
  return purchase.options.completeUrl ?? merchant.store_url;
}

/**
 * The redirect of a failed checkout: `errorUrl` verbatim. Clients recognize a failure by the missing `transactionId`, so nothing is appended.
 *
 * @see Interface, "Events": the customer redirect to errorUrl.
 */
export function errorRedirect(session: Pick<Session, 'purchase' | 'merchant'>): string {
  return inHeader(errorUrlOf(session));
}

/**
 * Where a buyer lands after success: `completeUrl` with both parameters appended to whatever query it has, its
 * fragment kept, and the rest left as the merchant wrote it.
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

/** What no header may hold, such as letters beyond ASCII, is written as browsers would send it. */
function inHeader(url: string): string {
  return PRINTABLE_ASCII.test(url) ? url : new URL(url).href;
}

const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;
