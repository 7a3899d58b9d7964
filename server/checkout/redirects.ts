import type { Session } from './session.ts';

/** Where a buyer goes when there is no financing: the merchant's `errorUrl` as it was written, or its store. */
export function errorUrlOf({ purchase, merchant }: Pick<Session, 'purchase' | 'merchant'>): string {
  return purchase.options.errorUrl ?? merchant.store_url;
}

export function completeUrlOf({ purchase, merchant }: Pick<Session, 'purchase' | 'merchant'>): string {
  return purchase.options.completeUrl ?? merchant.store_url;
}

/**
 * Where a buyer lands after success: `completeUrl` with both parameters appended to whatever query it has, its
 * fragment kept, and the rest left as the merchant wrote it. Only what no header may hold, such as letters beyond
 * ASCII, is written as browsers would send it.
 *
 * @see Interface, "Events": the customer redirect to completeUrl.
 */
export function completeRedirect(completeUrl: string, transactionId: string, orderRef: string): string {
  const url = PRINTABLE_ASCII.test(completeUrl) ? completeUrl : new URL(completeUrl).href;
  const hash = url.indexOf('#');
  const address = hash < 0 ? url : url.slice(0, hash);
  const fragment = hash < 0 ? '' : url.slice(hash);
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}${new URLSearchParams({ transactionId, orderRef }).toString()}${fragment}`;
}

const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;
