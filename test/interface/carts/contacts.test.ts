import { describe, expect, it } from 'vitest';
import { createCart } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import { contact } from './contact.ts';

const { firstName, lastName, address, city, state } = contact;
const place = { address, city, state };

const merchant = await (await startService()).createMerchant();

describe('The contacts of a cart', () => {
  describe.each([
    ['shippingContact', '[CART-14] [CART-15]'],
    ['billingContact', '[CART-19]'],
  ])('%s %s', (name) => {
    const stored = async (input: object) => {
      const cart = await createCart(merchant, { [name]: input });
      const { body } = await merchant.get(`/carts/${cart.id}`);
      return body.options[name];
    };
    it('may be omitted', async () => {
      const cart = await createCart(merchant);
      expect(cart['options']).not.toHaveProperty(name);
    });

    it('is stored with all of its fields', async () => {
      const allFields = { ...contact, address2: 'Apt 2', zip: '62701', email: 'ada@example.com', phone: '5550100100' };
      expect(await stored(allFields)).toEqual(allFields);
    });

    it.each([
      ['firstName and lastName', { firstName, lastName }],
      ['only fullName', { fullName: 'Ada King Lovelace' }],
      ['all three names', { fullName: 'Ada Lovelace', firstName, lastName }],
    ])('may have %s [CHOICE-16] [CLIENT-13]', async (_title, names) => {
      expect(await stored({ ...names, ...place })).toEqual({ ...names, ...place });
    });

    it.each(['email', 'address2', 'phone', 'zip'])(
      'may have a missing, empty or null %s [CHOICE-16] [CLIENT-13]',
      async (field) => {
        for (const value of [undefined, null, '']) expect(await stored({ ...contact, [field]: value })).toEqual(contact);
      },
    );

    it('may be in any of the fifty states or DC, case-insensitively [CART-16]', async () => {
      const codes = Object.keys(US_STATES);
      expect(codes).toHaveLength(51);
      for (const code of codes) expect((await stored({ ...contact, state: code })).state).toBe(code);
      expect((await stored({ ...contact, state: ' il ' })).state).toBe('IL');
    });

    it.each(['AA', 'AE', 'ap'])('may have the state of a military address: %s', async (code) => {
      expect((await stored({ ...contact, state: code })).state).toBe(code.toUpperCase());
    });

    it.each([
      '5550100100',
      '(555) 010-0100',
      '555.010.0100',
      '+1 555 010 0100',
      '1-555-010-0100',
      '555\u2012010\u2212\u00a00100',
    ])('accepts %s as a phone number of ten digits [CART-17] [LIM-1] [CLIENT-13]', async (phone) => {
      expect((await stored({ ...contact, phone })).phone).toBe('5550100100');
    });

    it.each(['62701', '62701-1234', '627011234', ' 62701 ', '62701\u20131234\u00a0'])(
      'accepts %s as a zip of five digits [CHOICE-16] [CLIENT-13]',
      async (zip) => {
        expect((await stored({ ...contact, zip })).zip).toBe('62701');
      },
    );
  });
});
