import { mask } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { CreateCartRequest } from '../../../shared/wire/cart.ts';
import { chair } from '../../support/checkout.ts';

/** Parses a body as the route does. */
const read = (body: unknown) => mask(body, CreateCartRequest);
const readOptions = (options: object) => read({ options: { items: [chair], ...options } }).options;

describe('CreateCartRequest from production clients', () => {
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
