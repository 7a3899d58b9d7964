/** What a buyer's phone has to load before they can read and send a page, held against one round trip of a new connection. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkoutPages, type CheckoutShop, fetchPlace, givenCheckoutShop } from '../../../support/checkout-pages.ts';
import { fetchAnswer } from '../../../support/service.ts';

/** The first flight of TCP: ten segments of 1,460 bytes, less what the headers take. */
const LIMIT_BYTES = 14_336;

describe('A page of the checkout', () => {
  let shop: CheckoutShop;
  beforeAll(async () => {
    shop = await givenCheckoutShop();
  });
  const stylesOf = async (text: string, url: string) => {
    const hrefs = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href!);
    return Promise.all(hrefs.map(async (href) => (await fetchAnswer(new URL(href, url).href)).text));
  };

  it.each(checkoutPages)('weighs at most 14 kB with its style sheet, and needs nothing else: $name', async (wanted) => {
    const place = await wanted.reach(shop);
    const { status, heading, text } = await fetchPlace(place);
    expect({ status, heading }).toEqual({ status: wanted.status, heading: wanted.heading });

    const styles = await stylesOf(text, place.url);
    const bytes = [text, ...styles].reduce((sum, part) => sum + gzipSync(part).byteLength, 0);
    expect(bytes).toBeLessThanOrEqual(LIMIT_BYTES);
    expect(styles).toHaveLength(wanted.isDocument ? 0 : 1);
    expect(text.includes('<style')).toBe(wanted.isDocument ?? false);
    expect([text, ...styles].join()).not.toMatch(/@import|url\(/);
    expect(text).not.toMatch(/<script(?! type="module" src=)|\sstyle=|\son\w+=|javascript:|<iframe/i);
  });
});
