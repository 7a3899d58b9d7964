/**
 * Transfer size of every page with its style sheet, limited to what a new connection delivers in the first round trip. The picture of the
 * payments may follow, because it is below the terms.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkoutPages, fetchPlace, startCheckoutShop } from '../../../support/checkout-pages.ts';
import { fetchResponse } from '../../../support/service.ts';

/** The first flight of TCP, ten segments of 1,460 bytes, minus the headers. */
const LIMIT_BYTES = 14_336;
/** The payments of a loan with its table. */
const MAX_PICTURE_BYTES = 4_096;

const shop = await startCheckoutShop();

describe('A page of the checkout', () => {
  const stylesOf = async (text: string, url: string) => {
    const hrefs = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href!);
    return Promise.all(hrefs.map(async (href) => (await fetchResponse(new URL(href, url).href)).text));
  };

  it.each(checkoutPages)('has at most 14 KiB with its style sheet, and contains no other resources: $name', async (expected) => {
    const place = await expected.reach(shop);
    const { status, heading, text, headers } = await fetchPlace(place);
    expect({ status, heading }).toEqual({ status: expected.status, heading: expected.heading });

    const styles = await stylesOf(text, place.url);
    expect(headers.get('content-encoding')).toBe('gzip');
    const sentBytes = Number(headers.get('content-length'));
    const sizeOf = (part: string) => gzipSync(part).byteLength;
    const pictureBytes = sizeOf(text) - sizeOf(text.replace(/<div class="plots"[^]*?<\/figure>/, ''));
    const bytes = styles.reduce((sum, part) => sum + sizeOf(part), sentBytes);
    expect(sentBytes).toBeGreaterThan(500);
    expect(bytes - pictureBytes).toBeLessThanOrEqual(LIMIT_BYTES);
    expect(bytes).toBeLessThanOrEqual(LIMIT_BYTES + MAX_PICTURE_BYTES);
    expect(styles).toHaveLength(expected.isDocument ? 0 : 1);
    expect(text.includes('<style')).toBe(expected.isDocument ?? false);
    expect([text, ...styles].join()).not.toMatch(/@import|url\(/);
    expect(text).not.toMatch(/<script(?! type="module" src=)|\sstyle=|\son\w+=|javascript:|<iframe/i);
  });

  it('is sent uncompressed, with the same content and a Vary header, to clients that do not accept compression', async () => {
    const place = await checkoutPages[0]!.reach(shop);
    const [compressed, plain] = await Promise.all(
      ['gzip', 'identity'].map((encoding) => fetchResponse(place.url, { headers: { 'accept-encoding': encoding } })),
    );
    expect([compressed, plain].map((response) => response!.headers.get('content-encoding'))).toEqual(['gzip', null]);
    expect([compressed, plain].map((response) => /accept-encoding/i.test(response!.headers.get('vary') ?? ''))).toEqual([
      true,
      true,
    ]);
    const withoutTokens = (text: string) => text.replace(/type="hidden" name="\w+" value="[^"]*"/g, '');
    expect(withoutTokens(compressed!.text)).toBe(withoutTokens(plain!.text));
  });
});
