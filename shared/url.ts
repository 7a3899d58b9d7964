/**
 * An address as browsers read it; undefined when it is none.
 *
 * `URL.canParse` is not asked: once Node 20 has been asked often, it takes the letters of Latin-1 for something else, refuses
 * `https://bücher.example`, and takes what cannot be read (nodejs/node, fast calls with one-byte strings).
 */
export function parsedUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** A page to resolve relative addresses against, where it does not matter which. */
export const ANY_PAGE = 'https://page.invalid/';

/** An http or https address as a page at `base` reads it, absolute or relative; undefined for any other. */
export function parsedLink(address: string, base: string): URL | undefined {
  // An absolute address first: `https:cart` is relative on an https page alone.
  const url = parsedUrl(address) ?? parsedUrl(address, base);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}
