import { describe, expect, it, test } from 'vitest';
import { readBag, withQuantity, writeBag } from '../../demo/bag.ts';
import { findProduct } from '../../demo/catalog.ts';
import { startShop } from './shop.ts';

describe('The bag’s cookie', () => {
  it('is parsed as it was written', () => {
    const bag = withQuantity(withQuantity([], findProduct('turntable')!, 1), findProduct('amplifier')!, 2);

    expect(writeBag(bag)).toBe('turntable.1~amplifier.2');
    expect(readBag(writeBag(bag))).toEqual(bag);
  });

  test.each([
    ['is missing', undefined, ''],
    ['contains an unknown product', 'yacht.1~turntable.1', 'turntable.1'],
    ['has a negative quantity', 'turntable.-1', ''],
    ['has a quantity above five', 'turntable.6', ''],
    ['has a fractional quantity', 'turntable.0.5', ''],
    ['has NaN as a quantity', 'turntable.1e0~amplifier.NaN', 'turntable.1'],
    ['contains a price', 'turntable.1.100', 'turntable.1'],
    ['repeats a product', 'turntable.1~turntable.3', 'turntable.3'],
    ['contains a property of Object.prototype', '__proto__.1~constructor.1', ''],
    ['contains 100,000 empty entries', '~'.repeat(100_000), ''],
  ])('is parsed without invalid entries if it %s', (_title, cookie, expected) => {
    expect(writeBag(readBag(cookie))).toBe(expected);
  });
});

describe('The bag', () => {
  it('contains two units after a product was added twice, at the price of the catalog', async () => {
    const { buyer } = await startShop();

    await buyer.add('bookshelf-speakers');
    const added = await buyer.add('bookshelf-speakers');
    const { html } = await buyer.get('/bag');

    expect([added.status, added.location]).toEqual([303, '/bag']);
    expect(html).toContain('<output>2</output>');
    expect(html).toContain('amount="179800"');
  });

  it('is named with its number of items, of which one is an item', async () => {
    const { buyer } = await startShop();
    const named = async () => {
      const { html } = await buyer.get('/bag');
      return /<a href="\/bag">([^]*?)<\/a>/
        .exec(html)![1]!
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
    };
    expect(await named()).toBe('Bag, 0 items');
    await buyer.add('headphones');
    expect(await named()).toBe('Bag, 1 item');
    await buyer.add('headphones');
    expect(await named()).toBe('Bag, 2 items');
  });

  it('contains at most five units of a product', async () => {
    const { buyer } = await startShop();

    for (const _ of [1, 2, 3, 4, 5, 6]) await buyer.add('headphones');

    expect(buyer.cookie).toBe('alder_bag=headphones.5');
  });

  it('clears the cookie when the last product is removed', async () => {
    const { buyer } = await startShop();
    await buyer.add('headphones');

    await buyer.post('/bag', { slug: 'headphones', quantity: '0' });

    expect(buyer.cookie).toBe('alder_bag=');
    expect((await buyer.get('/bag')).html).toContain('Your bag is empty');
  });

  test.each([
    ['an unknown product', { slug: 'yacht', add: '1' }],
    ['no product', { add: '1' }],
    ['a negative quantity', { slug: 'headphones', quantity: '-1' }],
    ['more than five', { slug: 'headphones', quantity: '99' }],
    ['an empty quantity', { slug: 'headphones', quantity: '' }],
    ['neither a quantity nor an increment', { slug: 'headphones' }],
  ])('responds 400 to a form with %s and does not change', async (_title, form) => {
    const { buyer } = await startShop();

    const { status, html } = await buyer.post('/bag', form);

    expect([status, buyer.cookie]).toEqual([400, '']);
    expect(html).toContain('That did not work');
  });

  test.each(['https://evil.example', 'null', ''])(
    'responds 403 to a form from the origin "%s" and does not change',
    async (origin) => {
      const { buyer, shopUrl } = await startShop();
      buyer.origin = origin;

      const { status, html } = await buyer.add('headphones');

      expect([status, buyer.cookie]).toEqual([403, '']);
      expect(html).toContain(shopUrl);
    },
  );

  it('responds 413 to a form above 4 KB', async () => {
    const { buyer } = await startShop();

    expect((await buyer.post('/bag', { slug: 'x'.repeat(10_000) })).status).toBe(413);
  });
});
