import { beforeAll, describe, expect, it } from 'vitest';
import { createCart } from '../../support/checkout.ts';
import { startService, type TestMerchant } from '../../support/service.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import { contact } from './contact.ts';

const { firstName, lastName, address, city, state } = contact;
const place = { address, city, state };

describe('The contacts of a cart', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await (await startService()).createMerchant();
  });

  describe.each([
    ['shippingContact', '[CART-14] [CART-15]'],
    ['billingContact', '[CART-19]'],
  ])('%s %s', (name) => {
    const stored = async (input: object) => {
      const cart = await createCart(merchant, { [name]: input });
      const { body } = await merchant.get(`/carts/${cart.id}`);
      return body.options[name];
    };
    const rejection = async (input: unknown) => {
      const response = await merchant.post('/carts', { options: { customTotal: 100, [name]: input } });
      expect(response).toMatchObject({ status: 400, body: { error: true, code: 'invalid-request' } });
      return response.body.description as string;
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

    it.each(['address', 'city', 'state'])('must have %s', async (field) => {
      expect(await rejection({ ...contact, [field]: undefined })).toContain(`At path: options.${name}.${field} -- Expected`);
      expect(await rejection({ ...contact, [field]: '' })).toContain(`At path: options.${name}.${field} -- Expected`);
    });

    it.each([[{ firstName: undefined }], [{ lastName: '' }], [{ firstName: null, lastName: null, fullName: '' }]])(
      'must have a complete name, not %j',
      async (names) => {
        expect(await rejection({ ...contact, ...names })).toBe(
          `At path: options.${name} -- Expected \`fullName\`, or \`firstName\` and \`lastName\`, but received neither`,
        );
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

    it.each(['ZZ', 'PR', 'Illinois', 'I', 'ILL', '62'])('must not be in %s [CART-16]', async (region) => {
      expect(await rejection({ ...contact, state: region })).toBe(
        `At path: options.${name}.state -- Expected a US state or DC as 2 letters, but received "${region}"`,
      );
    });

    it.each(['5550100100', '(555) 010-0100', '555.010.0100', '+1 555 010 0100', '1-555-010-0100'])(
      'accepts %s as a phone number of ten digits [CART-17] [LIM-1] [CLIENT-13]',
      async (phone) => {
        expect((await stored({ ...contact, phone })).phone).toBe('5550100100');
      },
    );

    it.each(['555010010', '55501001000', '555-010-010x', '٥٥٥٠١٠٠١٠٠', '5550100100 ext 5'])(
      'rejects the phone number %s [CART-17] [LIM-1]',
      async (phone) => {
        expect(await rejection({ ...contact, phone })).toContain(
          `At path: options.${name}.phone -- Expected a phone number of 10 digits, but received "${phone}"`,
        );
      },
    );

    it.each(['62701', '62701-1234', '627011234', ' 62701 '])(
      'accepts %s as a zip of five digits [CHOICE-16] [CLIENT-13]',
      async (zip) => {
        expect((await stored({ ...contact, zip })).zip).toBe('62701');
      },
    );

    it.each(['6270', '627011', 'SW1A 1AA', '62701-12'])('rejects the zip %s', async (zip) => {
      expect(await rejection({ ...contact, zip })).toContain(
        `At path: options.${name}.zip -- Expected a zip of 5 digits, but received "${zip}"`,
      );
    });
  });
});
