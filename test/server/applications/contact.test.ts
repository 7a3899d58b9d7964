import { describe, expect, it } from 'vitest';
import { assert } from 'superstruct';
import {
  addressHashOf,
  fromCart,
  NO_CONTACT,
  toPlatformContact,
  toTransactionContact,
} from '../../../server/applications/contact.ts';
import { normalizedAddressHash } from '../../../shared/normalized-address.ts';
import { ContactInput } from '../../../shared/wire/contact.ts';
import { PlatformContact } from '../../../shared/wire/order.ts';

const home = { address: '1 Main', city: 'Boise', state: 'ID' };

it.each([
  [{ fullName: 'Grace Brewster Hopper' }, 'Grace Brewster', 'Hopper'],
  [{ fullName: 'Plato' }, 'Plato', ''],
  [{ firstName: 'Ada', lastName: 'Lovelace' }, 'Ada', 'Lovelace'],
  [{ fullName: 'A. King', firstName: 'Ada', lastName: 'Lovelace' }, 'Ada', 'Lovelace'],
  [{ fullName: '  Ada   Lovelace ' }, 'Ada', 'Lovelace'],
])('%j is mapped to %s, %s', (names, firstName, lastName) => {
  expect(fromCart({ ...home, ...names })).toMatchObject({ firstName, lastName, city: 'Boise', zip: '', phone: '' });
});

it('is mapped back to every field of the merchant API', () => {
  const contact = fromCart({ ...home, fullName: 'Plato' });
  expect(toTransactionContact(contact)).toEqual({
    fullName: 'Plato',
    ...home,
    address2: '',
    zip: '',
    email: '',
    phone: '',
  });
});

describe('on the platform API', () => {
  const ada = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '5550100100',
    address: '12 Analytical Way',
    address2: 'Apt 2',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
  };
  const name = { givenName: 'Ada', familyName: 'Lovelace' };
  const place = { address1: '12 Analytical Way', locality: 'Springfield', postalCode: '62701', region: 'US-IL', country: 'US' };
  const whole = { name, phone: '+15550100100', address: { ...place, address2: 'Apt 2' }, email: 'ada@example.com' };
  const { phone: _phone, ...withoutPhone } = whole;
  const { email: _email, ...withoutEmail } = whole;
  const { address: _address, ...withoutAddress } = whole;

  it.each<[what: string, otherwise: Partial<typeof ada>, shown: PlatformContact]>([
    ['all is known', {}, whole],
    ['there is no second line', { address2: '' }, { ...whole, address: place }],
    ['there is no phone', { phone: '' }, withoutPhone],
    ['there is no e-mail address', { email: '' }, withoutEmail],
    ['there is a single name', { firstName: 'Plato', lastName: '' }, { ...whole, name: { givenName: 'Plato', familyName: '' } }],
    ['there is no street', { address: '' }, withoutAddress],
    ['there is no city', { city: '' }, withoutAddress],
    ['there is no state', { state: '' }, withoutAddress],
    ['there is no zip', { zip: '' }, withoutAddress],
  ])('has the format of the platform API, where %s', (_what, otherwise, shown) => {
    const contact = toPlatformContact({ ...ada, ...otherwise });
    expect(contact).toEqual(shown);
    assert(contact, PlatformContact);
  });

  it('is omitted when it has no name', () => {
    expect(toPlatformContact({ ...ada, firstName: '', lastName: '' })).toBeUndefined();
    expect(toPlatformContact(NO_CONTACT)).toBeUndefined();
  });

  it('is valid, whatever a merchant sends', () => {
    const sent = {
      ...home,
      fullName: `A\n${'🪑'.repeat(198)}`,
      address: `1 Main\n\t${'x'.repeat(192)}`,
      address2: '\n',
      zip: '62701',
    };
    assert(sent, ContactInput);
    assert(toPlatformContact(fromCart(sent)), PlatformContact);
  });

  it('is found by the hash of the shown address, and by no hash without an address', async () => {
    expect(await addressHashOf(ada)).toBe(await normalizedAddressHash(place));
    expect(await addressHashOf({ ...ada, zip: '' })).toBe('');
    expect(await addressHashOf(NO_CONTACT)).toBe('');
  });
});
