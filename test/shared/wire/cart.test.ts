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

describe('CreateCartRequest rejects, at its path,', () => {
  it.each([
    ['no body', undefined, /^Expected an object, but received: undefined/],
    ['null', null, /^Expected an object, but received: null/],
    ['a list', [], /^Expected an object/],
    ['text', 'cart', /^Expected an object, but received: "cart"/],
    ['a number', 5, /^Expected an object, but received: 5/],
    ['no options', {}, /^At path: options -- Expected an object, but received: undefined$/],
    ['options of null', { options: null }, /^At path: options -- Expected an object, but received: null$/],
    ['options as a list', { options: [] }, /^At path: options -- Expected an object/],
    ['options as text', { options: '{}' }, /^At path: options -- Expected an object, but received: "{}"$/],
    [
      'neither items nor a total',
      { options: {} },
      /^At path: options -- Expected `items` or `customTotal`, but received neither$/,
    ],
    ['no items and no total', { options: { items: [] } }, /^At path: options -- Expected `items` or `customTotal`/],
    [
      'a date that does not exist',
      { expiration: '2026-02-30', options: { customTotal: 1 } },
      /^At path: expiration -- Expected a date such as 2026-03-31, but received "2026-02-30"$/,
    ],
    [
      'a timestamp instead of a date',
      { expiration: '2026-02-28T00:00:00Z', options: { customTotal: 1 } },
      /^At path: expiration -- /,
    ],
    ['a number instead of a date', { expiration: 20_260_228, options: { customTotal: 1 } }, /^At path: expiration -- /],
    ['a number instead of a name', { createdBy: 7, options: { customTotal: 1 } }, /^At path: createdBy -- Expected a string/],
  ])('%s', (_, body, message) => {
    expect(() => read(body)).toThrow(message);
  });

  const money: [title: string, options: (amount: unknown) => object, path: string][] = [
    ['price', (price) => ({ items: [chair, { ...chair, price }] }), 'options.items.1.price'],
    ['quantity', (quantity) => ({ items: [{ ...chair, quantity }] }), 'options.items.0.quantity'],
    ['discount', (amount) => ({ discounts: [{ amount, description: 'x' }] }), 'options.discounts.0.amount'],
    ['shipping', (cost) => ({ shippingOptions: [{ type: 'Ground', typeId: 'g', cost }] }), 'options.shippingOptions.0.cost'],
    ['customTotal', (customTotal) => ({ customTotal }), 'options.customTotal'],
    ['tax', (tax) => ({ tax }), 'options.tax'],
  ];
  describe.each(money)('a %s', (_, options, path) => {
    it.each([
      ['negative', -1, '-1'],
      ['a fraction', 0.5, '0.5'],
      ['text', '100', '"100"'],
      ['a boolean', true, 'true'],
      ['an object', {}, '[object Object]'],
      ['not a number', Number.NaN, 'NaN'],
      ['infinite', Number.POSITIVE_INFINITY, 'Infinity'],
      ['2^53', 2 ** 53, '9007199254740992'],
      ['a cent above the largest amount', 100_000_000_000, '100000000000'],
    ])('that is %s', (_case, amount, received) => {
      expect(() => readOptions(options(amount))).toThrow(`At path: ${path} -- `);
      expect(() => readOptions(options(amount))).toThrow(received);
    });
  });

  it.each([
    ['a quantity of 0', { items: [{ ...chair, quantity: 0 }] }, 'options.items.0.quantity'],
    ['a quantity above 10,000', { items: [{ ...chair, quantity: 10_001 }] }, 'options.items.0.quantity'],
    ['a total of 0', { customTotal: 0 }, 'options.customTotal'],
    ['a discount of 0', { discounts: [{ amount: 0, description: 'x' }] }, 'options.discounts.0.amount'],
    ['a discount without a description', { discounts: [{ amount: 5, description: '' }] }, 'options.discounts.0.description'],
    [
      'shipping without an id',
      { shippingOptions: [{ type: 'Ground', typeId: '', cost: 0 }] },
      'options.shippingOptions.0.typeId',
    ],
    ['an item of null', { items: [chair, null] }, 'options.items.1'],
    ['an item without a price', { items: [{ ...chair, price: undefined }] }, 'options.items.0.price'],
    ['an item without a sku', { items: [{ ...chair, sku: undefined }] }, 'options.items.0.sku'],
    ['an item without a picture', { items: [{ ...chair, imageUrl: undefined }] }, 'options.items.0.imageUrl'],
    ['a sku of null', { items: [{ ...chair, sku: null }] }, 'options.items.0.sku'],
    ['a name of 501 characters', { items: [{ ...chair, name: 'x'.repeat(501) }] }, 'options.items.0.name'],
    ['a name with a NUL in it', { items: [{ ...chair, name: 'a\u0000b' }] }, 'options.items.0.name'],
    ['items that are not an array', { items: {} }, 'options.items'],
    ['501 items', { items: Array.from({ length: 501 }, () => chair) }, 'options.items'],
    ['101 discounts', { discounts: Array.from({ length: 101 }, () => ({ amount: 1, description: 'x' })) }, 'options.discounts'],
    ['an FTP URL', { callbackUrl: 'ftp://shop.example/' }, 'options.callbackUrl'],
    ['a script URL', { completeUrl: 'javascript:alert(1)' }, 'options.completeUrl'],
    ['a file URL', { errorUrl: 'file:///etc/passwd' }, 'options.errorUrl'],
    ['a path instead of a URL', { completeUrl: '/thanks' }, 'options.completeUrl'],
    ['a URL of 2,001 characters', { errorUrl: `https://shop.example/${'x'.repeat(1_980)}` }, 'options.errorUrl'],
    ['a string instead of a boolean', { requireShippingContact: 'yes' }, 'options.requireShippingContact'],
    ['a number instead of a program id', { financingProgramId: 5 }, 'options.financingProgramId'],
    ['an array instead of a contact', { shippingContact: [] }, 'options.shippingContact'],
    ['a contact without a street', { billingContact: { ...contact, address: '' } }, 'options.billingContact.address'],
  ])('%s', (_, options, path) => {
    expect(() => readOptions(options)).toThrow(`At path: ${path} -- `);
  });

  it('an item whose price times quantity exceeds the maximum amount', () => {
    expect(() => readOptions({ items: [{ ...chair, price: 99_999_999_999, quantity: 2 }] })).toThrow(
      'At path: options.items.0 -- Expected price times quantity to be at most 99999999999 cents, but received 99999999999 times 2',
    );
  });

  it('only the first of several invalid fields, with a short message', () => {
    const parse = () => readOptions({ callbackUrl: `ftp://${'x'.repeat(1_900)}`, tax: -1 });

    expect(parse).toThrow('At path: options.callbackUrl -- ');
    expect(messageOf(parse).length).toBeLessThan(200);
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('Expected an error');
}

describe('CartOptions.metadata', () => {
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, 'x']));

  it.each<[what: string, metadata: object]>([
    ['no keys', {}],
    ['50 keys', names(50)],
    ['a key of 40 characters', { ['🪑'.repeat(40)]: 'x' }],
    ['a value of 500 characters', { name: '🪑'.repeat(500) }],
    ['keys that objects inherit', JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}') as object],
  ])('accepts %s', (_what, metadata) => {
    const { metadata: parsed } = readOptions({ metadata });
    expect(Object.entries(parsed!)).toEqual(Object.entries(metadata));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it.each<[what: string, metadata: unknown, message: RegExp]>([
    ['an array', [], /^At path: options\.metadata -- Expected an object, but received: /],
    ['a string', 'web', /^At path: options\.metadata -- Expected an object, but received: "web"$/],
    ['51 keys', names(51), /^At path: options\.metadata -- Expected at most 50 names, but received 51$/],
    ['an empty key', { '': 'x' }, /^At path: options\.metadata -- Invalid name: Expected a string of 1 to 40 characters/],
    ['a long key', { ['x'.repeat(41)]: 'x' }, /^At path: options\.metadata -- Invalid name: .* received one of 41$/],
    ['a key of two lines', { 'a\nb': 'x' }, /^At path: options\.metadata -- Invalid name: Expected one line/],
    ['a number as value', { name: 5 }, /^At path: options\.metadata\.name -- Expected a string, but received: 5$/],
    ['null as value', { name: null }, /^At path: options\.metadata\.name -- Expected a string, but received: null$/],
    ['an object as value', { name: {} }, /^At path: options\.metadata\.name -- Expected a string, but received: an object$/],
    [
      'a value of 501 characters',
      { name: 'x'.repeat(501) },
      /^At path: options\.metadata\.name -- Expected a string of 0 to 500/,
    ],
    ['a NUL in a value', { name: 'a\u0000' }, /^At path: options\.metadata\.name -- Expected text without control characters/],
  ])('rejects %s', (_what, metadata, message) => {
    expect(() => readOptions({ metadata })).toThrow(message);
  });
});

describe('CartOptions.buyerId', () => {
  it('is converted to lower case', () => {
    expect(readOptions({ buyerId: '01890A5D-AC96-774B-BCCE-B302099A8057' }).buyerId).toBe('01890a5d-ac96-774b-bcce-b302099a8057');
  });

  it.each([
    ['ada@example.com'],
    ['01890a5dac96774bbcceb302099a8057'],
    ['00000000-0000-0000-0000-000000000000'],
    ['01890a5d-ac96-074b-bcce-b302099a8057'],
    ['01890a5d-ac96-774b-ccce-b302099a8057'],
    [' 01890a5d-ac96-774b-bcce-b302099a8057'],
    ['01890a5d-ac96-774b-bcce-b302099a8057\n'],
    [7],
    [{}],
  ])('rejects %j', (buyerId) => {
    expect(() => readOptions({ buyerId })).toThrow(
      /^At path: options\.buyerId -- Expected a UUID of a version from 1 to 8 \(RFC 9562\), but received/,
    );
  });
});
