import { MAX_CENTS } from '../shared/money.ts';

/**
 * The amount that a page wrote, in cents: an integer from 1 to `MAX_CENTS`, or 0 when it wrote anything else.
 *
 * Strict about `12.99`, `1e3`, ` 5` and `$5`, because a page that means dollars must not advertise a wrong price.
 */
export function toCents(written: unknown): number {
  const cents = /^[1-9]\d*$/.test(String(written)) ? Number(written) : 0;
  return cents <= MAX_CENTS ? cents : 0;
}

/**
 * The absolute address of what a page wrote, by default relative to the page; undefined unless it is http or https.
 *
 * A `javascript:` address in a link would run in the shop's page with the shop's rights.
 */
export function httpUrl(written: string, base = globalThis.document?.baseURI): string | undefined {
  try {
    const { protocol, href } = new URL(written, base);
    return /^https?:$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** White space around a fallback link is no label. */
export const isLabel = (node: ChildNode & Partial<Pick<Element, 'slot'>>): boolean => !node.slot && !!node.textContent?.trim();
