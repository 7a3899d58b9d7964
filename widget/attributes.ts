import { MAX_CENTS } from '../shared/money.ts';

/**
 * Parses an amount in cents: an integer from 1 to `MAX_CENTS`, or with the noise of a floating-point number. Returns 0 for anything else.
 *
 * Rejects `12.99`, `12.00`, `1e3`, ` 5` and `$5`, because a page that sets dollars must not advertise a wrong price. The noise is less than a
 * millionth of a cent: `1136.10 * 100` is 113609.99999999999.
 */
export function toCents(amount: unknown): number {
  const cents = /^[1-9]\d*(\.(0{6}|9{6})\d*)?$/.test(String(amount)) ? Math.round(Number(amount)) : 0;
  return cents <= MAX_CENTS ? cents : 0;
}

/**
 * Resolves a URL, by default relative to the page. Returns undefined unless it is http or https.
 *
 * A link with a `javascript:` URL would run a script in the origin of the shop.
 */
export function httpUrl(url: string, base = globalThis.document?.baseURI): string | undefined {
  try {
    const { protocol, href } = new URL(url, base);
    return /^https?:$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a URL without the values of its parameters, and without `display`, which the button adds: the same for all products of a route. */
export function routeOf(url: string): string {
  return url.replace(/=[^&#/]*|[?&]display=.*/g, '');
}

/** URL of this script. A classic script has no `import.meta.url`, and a module has no `currentScript`. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an SVG script cannot contain this module
export const scriptUrl = (globalThis.document?.currentScript as HTMLScriptElement | null)?.src || import.meta.url;

/**
 * Returns the base URL of the service without a trailing slash, or undefined if `service` is not an http or https URL. The
 * default is the service that this script comes from: `<service>/widget/<version>/financing-button.js`.
 */
export function serviceUrl(service: string | null | undefined): string | undefined {
  return (service ? httpUrl(service) : httpUrl('../../', scriptUrl))?.replace(/(?<!\/)\/+$/, '');
}
