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

  it.each(checkoutPages)('weighs at most 14 kB with its style sheet: $name', async ({ status, heading, reach }) => {
    const place = await reach(shop);
    const page = await fetchPlace(place);
    expect(page).toMatchObject({ status, heading });

    const styles = await stylesOf(page.text, place.url);
    const bytes = [page.text, ...styles].reduce((sum, text) => sum + gzipSync(text).byteLength, 0);
    expect(styles).toHaveLength(1);
    expect(bytes).toBeLessThanOrEqual(LIMIT_BYTES);
  });

  it.each(checkoutPages)('loads nothing else, and runs nothing: $name', async ({ reach }) => {
    const { text } = await fetchPlace(await reach(shop));
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:|<iframe|@import/i);
  });
});
