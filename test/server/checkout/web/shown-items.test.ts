import { describe, expect, it } from 'vitest';
import { shownItems } from '../../../../server/checkout/web/order-summary.ts';
import { chair, createCart, open } from '../../../support/checkout.ts';
import { openPage, startBrowser } from '../../../support/browser.ts';
import { startService } from '../../../support/service.ts';

const itemsOf = (count: number, imageUrlOf = (_index: number) => '') =>
  Array.from({ length: count }, (_, index) => ({
    ...chair,
    name: `Chair ${index + 1}`,
    price: 100 + index,
    quantity: 2,
    imageUrl: imageUrlOf(index),
  }));
const ownHost = (index: number) => `https://i${index}.example/chair.jpg`;

describe('The items of an order', () => {
  it('are all shown up to 50', () => {
    const { items, more } = shownItems({ items: itemsOf(50) });
    expect([items.length, more]).toEqual([50, undefined]);
    expect(shownItems({})).toEqual({ items: [], more: undefined, imageOrigins: [] });
  });

  it('beyond the first 50 are replaced by their number and sum', () => {
    const { items, more } = shownItems({ items: itemsOf(52) });
    expect([items.length, items.at(-1)!.name, more]).toEqual([50, 'Chair 50', { count: 2, cents: 2 * 150 + 2 * 151 }]);
  });

  it('load images from the first 20 hosts of shown items', () => {
    const { items, imageOrigins } = shownItems({ items: itemsOf(60, (index) => ownHost(index % 30)) });
    expect(imageOrigins).toEqual(Array.from({ length: 20 }, (_, index) => `https://i${index}.example`));
    const images = items.map(({ image }) => image);
    expect(images.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, index) => ({ url: ownHost(index) })));
    expect(images.slice(20, 30)).toEqual(Array(10).fill('hidden'));
    expect(images[30]).toEqual({ url: ownHost(0) });
    expect(shownItems({ items: itemsOf(51, (index) => (index < 50 ? '' : ownHost(index))) }).imageOrigins).toEqual([]);
  });

  it.each([
    ['', undefined],
    ['/chair.jpg', undefined],
    ['data:image/png;base64,AAAA', undefined],
    ['https://a;b.example/chair.jpg', 'hidden'],
    ['https://*.example/chair.jpg', 'hidden'],
    ['HTTPS://IMG.EXAMPLE/chair.jpg', { url: 'HTTPS://IMG.EXAMPLE/chair.jpg' }],
    ['https://img.example:8443/chair.jpg', { url: 'https://img.example:8443/chair.jpg' }],
  ])('show the image at %j as %j', (imageUrl, image) => {
    expect(shownItems({ items: itemsOf(1, () => imageUrl) }).items[0]!.image).toEqual(image);
  });
});

const merchant = await (await startService()).createMerchant();

describe('The page of a cart with more than 50 items', () => {
  it('shows 50 items, the sum of the others, and the total', async () => {
    const items = itemsOf(500);
    const { url } = await createCart(merchant, { items });
    const totalCents = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
    const moreCents = items.slice(50).reduce((sum, { price, quantity }) => sum + price * quantity, 0);
    const formatted = (cents: number) => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

    const { text } = await open(url);
    expect(text.match(/Chair \d+/g)).toHaveLength(50);
    expect(text).toContain('and 450 more items');
    expect(text).toContain(`<span class="amount">${formatted(moreCents)}</span>`);
    expect(text).toContain(`<dd data-shows="total">${formatted(totalCents)}</dd>`);
    expect((await open(`${url}/details?lang=es`)).text).toContain('y 450 artículos más');
  });

  it('shows no sum of the other items if there is a custom total', async () => {
    const { text } = await open((await createCart(merchant, { items: itemsOf(51), customTotal: 50_000 })).url);
    expect(text).toContain('and 1 more item<');
    expect(text).not.toContain('class="amount"');
  });

  it('lays out items without a loaded image like the others', async () => {
    const { url } = await createCart(merchant, { items: itemsOf(30, ownHost) });
    const { page } = await openPage(await startBrowser(), { viewport: { width: 1280, height: 800 } });
    const hosts = new Set<string>();
    await page.route('**/chair.jpg', (route) => {
      hosts.add(new URL(route.request().url()).host);
      return route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      });
    });
    await page.goto(url);
    await page.locator('.items li').last().scrollIntoViewIfNeeded();
    const boxes = await page.locator('.items li').evaluateAll((lines) =>
      lines.map((line) => {
        const { left } = line.querySelector('.item')!.getBoundingClientRect();
        return { left, height: line.getBoundingClientRect().height, hasPicture: line.querySelector('img') !== null };
      }),
    );
    expect(boxes.map(({ hasPicture }) => hasPicture)).toEqual(Array.from({ length: 30 }, (_, index) => index < 20));
    expect(new Set(boxes.map(({ left, height }) => `${left} ${height}`)).size).toBe(1);
    expect([...hosts].every((host) => /^i1?\d\.example$/.test(host))).toBe(true);
  });
});
