import { describe, expect, it } from 'vitest';
import { assert } from 'superstruct';
import {
  addressHashOf,
  fromCart,
  hasCertainName,
  NO_CONTACT,
  toPlatformContact,
  toTransactionContact,
} from '../../../server/base/contact.ts';
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
  [{ fullName: 'Martin King Jr.' }, 'Martin', 'King Jr.'],
  [{ fullName: 'Martin Luther King, Jr.' }, 'Martin Luther', 'King, Jr.'],
  [{ fullName: 'Martin\u00a0King\u00a0III' }, 'Martin', 'King III'],
  [{ fullName: 'Sammy Davis Jr. Esq.' }, 'Sammy', 'Davis Jr. Esq.'],
  [{ fullName: 'Grace Hopper, Ph.D.' }, 'Grace', 'Hopper, Ph.D.'],
  [{ fullName: 'Plato Jr.' }, 'Plato Jr.', ''],
  [{ fullName: 'Jr.' }, 'Jr.', ''],
  [{ fullName: ' ' }, '', ''],
])('A contact of a cart with the names %j has the first name %j and the last name %j', (names, firstName, lastName) => {
  expect(fromCart({ ...home, ...names })).toMatchObject({ firstName, lastName, city: 'Boise', zip: '', phone: '' });
});

it.each([
  [{ fullName: 'Ada Lovelace' }, true],
  [{ fullName: 'Plato' }, true],
  [{ fullName: 'Gabriel García Márquez' }, false],
  [{ fullName: 'Martin King Jr.' }, false],
  [{ fullName: 'Gabriel García Márquez', firstName: 'Gabriel', lastName: 'García Márquez' }, true],
  [{ fullName: 'Gabriel García Márquez', firstName: 'Gabriel' }, false],
])('The first and the last name of a contact of a cart with the names %j are certain: %s', (names, isCertain) => {
  expect(hasCertainName({ ...home, ...names })).toBe(isCertain);
});

it('A contact is converted back to every field of the merchant API', () => {
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

describe('A contact on the platform API', () => {
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
  const address = { address1: '12 Analytical Way', locality: 'Springfield', postalCode: '62701', region: 'US-IL', country: 'US' };
  const complete = { name, phone: '+15550100100', address: { ...address, address2: 'Apt 2' }, email: 'ada@example.com' };
  const { phone: _phone, ...withoutPhone } = complete;
  const { email: _email, ...withoutEmail } = complete;
  const { address: _address, ...withoutAddress } = complete;

  it.each<[title: string, changes: Partial<typeof ada>, expected: PlatformContact]>([
    ['all fields', {}, complete],
    ['no second address line', { address2: '' }, { ...complete, address }],
    ['no phone', { phone: '' }, withoutPhone],
    ['no e-mail address', { email: '' }, withoutEmail],
    ['a military address', { state: 'AE' }, { ...complete, address: { ...complete.address, region: 'AE' } }],
    ['a single name', { firstName: 'Plato', lastName: '' }, { ...complete, name: { givenName: 'Plato', familyName: '' } }],
    ['no street', { address: '' }, withoutAddress],
    ['no city', { city: '' }, withoutAddress],
    ['no state', { state: '' }, withoutAddress],
    ['no zip', { zip: '' }, withoutAddress],
  ])('has the format of the platform API with %s', (_title, changes, expected) => {
    const contact = toPlatformContact({ ...ada, ...changes });
    expect(contact).toEqual(expected);
    assert(contact, PlatformContact);
  });

  it('is omitted without a name', () => {
    expect(toPlatformContact({ ...ada, firstName: '', lastName: '' })).toBeUndefined();
    expect(toPlatformContact(NO_CONTACT)).toBeUndefined();
  });

  it('is valid for the longest values and line breaks that a merchant can send', () => {
    const input = {
      ...home,
      fullName: `A\n${'🪑'.repeat(198)}`,
      address: `1 Main\n\t${'x'.repeat(192)}`,
      address2: '\n',
      zip: '62701',
    };
    assert(input, ContactInput);
    assert(toPlatformContact(fromCart(input)), PlatformContact);
  });

  it('is found by the hash of its address, and by no hash if the address is incomplete', async () => {
    expect(await addressHashOf(ada)).toBe(await normalizedAddressHash(address));
    expect(await addressHashOf({ ...ada, zip: '' })).toBe('');
    expect(await addressHashOf(NO_CONTACT)).toBe('');
  });
});
