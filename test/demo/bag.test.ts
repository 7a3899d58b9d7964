import { describe, expect, it, test } from 'vitest';
import { readBag, withQuantity, writeBag } from '../../demo/bag.ts';
import { findProduct } from '../../demo/catalogue.ts';
import { givenShop } from './given-shop.ts';

describe('the cookie of a bag', () => {
  it('is read back as it was written', () => {
    const bag = withQuantity(withQuantity([], findProduct('turntable')!, 1), findProduct('amplifier')!, 2);

    expect(writeBag(bag)).toBe('turntable.1~amplifier.2');
    expect(readBag(writeBag(bag))).toEqual(bag);
  });

  test.each([
    ['is absent', undefined, ''],
    ['names nothing we sell', 'yacht.1~turntable.1', 'turntable.1'],
    ['asks for a negative quantity', 'turntable.-1', ''],
    ['asks for more than five', 'turntable.6', ''],
    ['asks for half of one', 'turntable.0.5', ''],
    ['asks for one and a half', 'turntable.1e0~amplifier.NaN', 'turntable.1'],
    ['brings a price along', 'turntable.1.100', 'turntable.1'],
    ['names a product twice', 'turntable.1~turntable.3', 'turntable.3'],
    ['names a property of every object', '__proto__.1~constructor.1', ''],
    ['is endless', '~'.repeat(100_000), ''],
  ])('that %s is read without it', (_what, cookie, understood) => {
    expect(writeBag(readBag(cookie))).toBe(understood);
  });
});

describe('given an empty bag', () => {
  it('when a product is added twice, then there are two of it and the total is the catalogue’s', async () => {
    const { buyer } = await givenShop();

    await buyer.add('bookshelf-speakers');
    const added = await buyer.add('bookshelf-speakers');
    const { html } = await buyer.get('/bag');

    expect([added.status, added.location]).toEqual([303, '/bag']);
    expect(html).toContain('<output>2</output>');
    expect(html).toContain('amount="179800"');
  });

  it('when a sixth of a product is added, then there are still five', async () => {
    const { buyer } = await givenShop();

    for (const _ of [1, 2, 3, 4, 5, 6]) await buyer.add('headphones');

    expect(buyer.cookie).toBe('alder_bag=headphones.5');
  });

  it('when $2,000 are reached, then the offer is taken off before the estimate', async () => {
    const { buyer } = await givenShop();

    await buyer.add('floorstanding-speakers');

    expect((await buyer.get('/bag')).html).toContain('amount="234900"');
  });

  it('when the last product is taken out, then the bag is empty and so is the cookie', async () => {
    const { buyer } = await givenShop();
    await buyer.add('headphones');

    await buyer.post('/bag', { slug: 'headphones', quantity: '0' });

    expect(buyer.cookie).toBe('alder_bag=');
    expect((await buyer.get('/bag')).html).toContain('Your bag is empty');
  });

  test.each([
    ['a product we do not have', { slug: 'yacht', add: '1' }],
    ['no product', { add: '1' }],
    ['a negative quantity', { slug: 'headphones', quantity: '-1' }],
    ['more than five', { slug: 'headphones', quantity: '99' }],
    ['a quantity that is empty', { slug: 'headphones', quantity: '' }],
    ['neither a quantity nor one more', { slug: 'headphones' }],
  ])('when a form asks for %s, then it is refused on a page and the bag stays empty', async (_what, form) => {
    const { buyer } = await givenShop();

    const { status, html } = await buyer.post('/bag', form);

    expect([status, buyer.cookie]).toEqual([400, '']);
    expect(html).toContain('That did not work');
  });

  it('when a form is larger than any of ours, then it is refused before it is read', async () => {
    const { buyer } = await givenShop();

    expect((await buyer.post('/bag', { slug: 'x'.repeat(10_000) })).status).toBe(413);
  });
});
