import { mask } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { CreateCartRequest } from '../../../shared/wire/cart.ts';
import { chair } from '../../support/checkout.ts';

const contact = { fullName: 'Ada Lovelace', address: '1 Main Street', city: 'Albany', state: 'NY' };

/** Parses a body as the route does. */
const read = (body: unknown) => mask(body, CreateCartRequest);
const readOptions = (options: object) => read({ options: { items: [chair], ...options } }).options;

describe('CreateCartRequest', () => {
  it('accepts a total alone', () => {
    expect(read({ options: { customTotal: 74_000 } })).toEqual({
      options: { customTotal: 74_000, disableEditShipping: false, requireShippingContact: false },
    });
  });

  it('accepts one item alone', () => {
    expect(read({ options: { items: [chair] } }).options.items).toEqual([chair]);
  });

  it('accepts every field', () => {
    const body = {
      expiration: '2026-11-28',
      createdBy: 'till 3',
      options: {
        orderRef: 'A-1',
        callbackUrl: 'https://shop.example/callback',
        completeUrl: 'https://shop.example/thanks?lang=en',
        errorUrl: 'http://localhost:3000/sorry#top',
        createdBy: 'till 3',
        cartName: 'Chair',
        financingProgramId: '11111111-1111-7111-8111-111111111111',
        items: [chair],
        discounts: [{ amount: 1_000, description: 'Welcome' }],
        shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 0 }],
        shippingContact: { ...contact, zip: '12207', email: 'ada@example.com', phone: '5185551234', address2: 'Apt 2' },
        billingContact: contact,
        disableEditShipping: true,
        requireShippingContact: true,
        customTotal: 74_000,
        tax: 0,
        metadata: { channel: 'web', 'till 3': '', note: 'two\nlines' },
        buyerId: '01890a5d-ac96-774b-bcce-b302099a8057',
      },
    };

    expect(read(body)).toEqual(body);
  });
});

describe('CreateCartRequest from production clients', () => {
  it.each([
    ['no expiration', {}],
    ['an expiration of null', { expiration: null }],
    ['unknown fields', { cartOrigin: 'woo', url: '', createdAt: '0001-01-01T00:00:00Z', apiKey: 'k' }],
    ['createdBy as null', { createdBy: null }],
  ])('accepts %s next to the options', (_, body) => {
    expect(read({ ...body, options: { items: [chair] } })).toEqual(read({ options: { items: [chair] } }));
  });

  it.each([
    ['unknown fields', { promoLegalese: 'x', asLowAs: true, url: '', apiKey: 'k' }],
    ['an empty program id', { financingProgramId: '' }],
    ['a program id of null', { financingProgramId: null }],
    ['empty URLs', { callbackUrl: '', completeUrl: '', errorUrl: '' }],
    ['URLs of null', { callbackUrl: null, completeUrl: null, errorUrl: null }],
    ['empty or missing names', { cartName: '', orderRef: null, createdBy: '' }],
    ['null for lists and amounts', { discounts: null, shippingOptions: null, tax: null, customTotal: null }],
    ['null for contacts', { shippingContact: null, billingContact: null }],
    ['null for metadata and buyer', { metadata: null, buyerId: null }],
    ['an empty buyer id', { buyerId: '' }],
    ['null for booleans', { requireShippingContact: null, disableEditShipping: null }],
  ])('accepts %s in the options', (_, options) => {
    expect(readOptions(options)).toEqual(readOptions({}));
  });

  it.each([
    [
      'a total that differs from the sum of the items',
      { customTotal: 437, discounts: [{ amount: 5, description: 'x' }], tax: 12 },
    ],
    ['a total without items', { items: [], customTotal: 74_000 }],
    ['tax with items', { tax: 1_234 }],
    [
      'an option for orders that are not shipped',
      { shippingOptions: [{ type: 'Shipping not required', typeId: 'shipping-not-required', cost: 0 }] },
    ],
    ['an item without a page, a picture or a sku', { items: [{ ...chair, sku: '', imageUrl: '', detailUrl: '' }] }],
    ['an item with a price of 0', { items: [{ ...chair, price: 0 }] }],
    ['empty lists', { discounts: [], shippingOptions: [] }],
  ])('accepts %s', (_, options) => {
    expect(readOptions(options)).toMatchObject(options);
  });

  it('accepts 437.0 as an integer', () => {
    expect(read(JSON.parse('{"options":{"customTotal":437.0}}')).options.customTotal).toBe(437);
  });

  it('ignores unknown fields of items and contacts', () => {
    const options = readOptions({ items: [{ ...chair, weight: 3 }], shippingContact: { ...contact, country: 'US' } });

    expect(options.items).toEqual([chair]);
    expect(options.shippingContact).toEqual(contact);
  });
});

describe('CartOptions.metadata', () => {
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, 'x']));

  it.each<[what: string, metadata: object]>([
    ['no keys', {}],
    ['50 keys', names(50)],
    ['a key of 40 characters', { ['🪑'.repeat(40)]: 'x' }],
    ['a value of 500 characters', { name: '🪑'.repeat(500) }],
    ['keys that objects inherit', JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}') as object],
  ])('accepts %s', (_case, metadata) => {
    const { metadata: parsed } = readOptions({ metadata });
    expect(Object.entries(parsed!)).toEqual(Object.entries(metadata));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });
});

it('CartOptions.buyerId is converted to lower case', () => {
  expect(readOptions({ buyerId: '01890A5D-AC96-774B-BCCE-B302099A8057' }).buyerId).toBe('01890a5d-ac96-774b-bcce-b302099a8057');
});
