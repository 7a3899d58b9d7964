/**
 * Parses a URL as browsers do. Returns undefined if it is invalid.
 *
 * Does not use `URL.canParse`: on Node 20, after many calls, its fast path misreads Latin-1 strings, rejects
 * `https://bücher.example` and accepts invalid URLs.
 */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** Base URL for validating relative URLs when the actual page does not matter. */
export const ANY_PAGE = 'https://page.invalid/';

/** Parses an absolute or relative http(s) URL against `base`. Returns undefined for any other URL. */
export function parseLink(address: string, base: string): URL | undefined {
  // Try it as an absolute URL first: `https:cart` is relative only on an https page.
  const url = parseUrl(address) ?? parseUrl(address, base);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}
