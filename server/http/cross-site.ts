import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser sends this for a page that is not ours. Who sends none of these headers is no browser, or an old one.
 *
 * Forms of pages that send no referrer come with `Origin: null`, as do those of a sandboxed frame: only `Sec-Fetch-Site`, which no
 * page can set, tells them apart.
 *
 * @param ownOrigin - Where browsers reach us, `https://pay.example`: what a proxy makes of `Host` is not asked.
 */
export function isCrossSite({ origin, ...headers }: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin !== 'null' && origin !== ownOrigin;
}
