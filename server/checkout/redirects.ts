/**
 * Where a buyer lands after success: `completeUrl` with both parameters appended to whatever query it has, its
 * fragment kept, and the rest left as the merchant wrote it.
 *
 * @see Interface, "Events": the customer redirect to completeUrl.
 */
export function completeRedirect(completeUrl: string, transactionId: string, orderRef: string): string {
  const hash = completeUrl.indexOf('#');
  const address = hash < 0 ? completeUrl : completeUrl.slice(0, hash);
  const fragment = hash < 0 ? '' : completeUrl.slice(hash);
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}${new URLSearchParams({ transactionId, orderRef }).toString()}${fragment}`;
}
