import { mask, object } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { ContactInput, OptionalContact } from '../../../shared/wire/contact.ts';

const place = { address: '1 Main Street', city: 'Albany', state: 'NY' };
const ada = { fullName: 'Ada Lovelace', ...place };
const read = (contact: unknown) => mask(contact, ContactInput);

describe('ContactInput', () => {
  it.each([
    ['a full name', { fullName: 'Ada Lovelace' }],
    ['a first and a last name', { firstName: 'Ada', lastName: 'Lovelace' }],
    ['a full, a first and a last name', { fullName: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace' }],
    ['a full name and a first name', { fullName: 'Ada Lovelace', firstName: 'Ada' }],
    ['a single name', { fullName: 'Ada' }],
  ])('accepts %s', (_, names) => {
    expect(read({ ...names, ...place })).toEqual({ ...names, ...place });
  });

  it.each([
    ['no name', {}],
    ['a first name alone', { firstName: 'Ada' }],
    ['a last name alone', { lastName: 'Lovelace' }],
    ['an empty full name', { fullName: '' }],
    ['names of null', { fullName: null, firstName: null, lastName: null }],
    ['an empty last name', { firstName: 'Ada', lastName: '' }],
  ])('rejects a contact with %s', (_, names) => {
    expect(() => read({ ...names, ...place })).toThrow(
      'Expected `fullName`, or `firstName` and `lastName`, but received neither',
    );
  });

  it.each(['phone', 'email', 'address2', 'zip'])('accepts a missing, empty or null %s', (field) => {
    for (const absent of [{}, { [field]: '' }, { [field]: null }]) expect(read({ ...ada, ...absent })).toEqual(ada);
  });

  it.each([
    ['(555) 123-4567', '5551234567'],
    ['555-123-4567', '5551234567'],
    ['555.123.4567', '5551234567'],
    ['555 123 4567', '5551234567'],
    ['+1 (555) 123-4567', '5551234567'],
    ['1-555-123-4567', '5551234567'],
    ['5551234567', '5551234567'],
  ])('parses the phone number %s as %s', (phone, digits) => {
    expect(read({ ...ada, phone }).phone).toBe(digits);
  });

  it.each([
    ['12207', '12207'],
    ['12207-1234', '12207'],
    ['122071234', '12207'],
    [' 12207 ', '12207'],
    ['01234', '01234'],
  ])('parses the zip %s as %s', (zip, digits) => {
    expect(read({ ...ada, zip }).zip).toBe(digits);
  });

  it.each(["o'neil+shop%40@example.com", 'a.b@sub.example.co', 'info@xn--bcher-kva.example', 'x@example.xn--p1ai'])(
    'accepts the email address %s',
    (email) => {
      expect(read({ ...ada, email }).email).toBe(email);
    },
  );

  it.each([
    ['NY', 'NY'],
    ['ny', 'NY'],
    [' dc ', 'DC'],
  ])('parses the state %s as %s', (state, code) => {
    expect(read({ ...ada, state }).state).toBe(code);
  });

  it.each([
    ['a phone of nine digits', { phone: '555123456' }, 'phone'],
    ['a phone of letters', { phone: '555-CALL-NOW' }, 'phone'],
    ['a foreign phone number', { phone: '+44 20 7946 0000' }, 'phone'],
    ['a phone as a number', { phone: 5_551_234_567 }, 'phone'],
    ['a zip of four digits', { zip: '1220' }, 'zip'],
    ['a zip as a number', { zip: 12_207 }, 'zip'],
    ['a foreign zip', { zip: 'SW1A 1AA' }, 'zip'],
    ['a state by name', { state: 'New York' }, 'state'],
    ['a territory', { state: 'PR' }, 'state'],
    ['a state named like an inherited property', { state: 'constructor' }, 'state'],
    ['a state of null', { state: null }, 'state'],
    ['an email address without a domain', { email: 'ada' }, 'email'],
    ['an email address with a space', { email: 'ada love@example.com' }, 'email'],
    ['an email address with a line break', { email: 'ada@example.com\nBcc: all@example.com' }, 'email'],
    ['an email address with another letter than ASCII', { email: 'jörg@example.com' }, 'email'],
    ['an email address with an internationalized domain', { email: 'jorg@exämple.de' }, 'email'],
    ['an email address with an invisible character', { email: 'ada\u200b@example.com' }, 'email'],
    ['an email address with two dots in a row', { email: 'ada..l@example.com' }, 'email'],
    ['an email address with an IP address', { email: 'ada@127.0.0.1' }, 'email'],
    ['an email address of 255 characters', { email: `${'a'.repeat(243)}@example.com` }, 'email'],
    ['no street', { address: undefined }, 'address'],
    ['an empty city', { city: '' }, 'city'],
    ['a street of 201 characters', { address: 'x'.repeat(201) }, 'address'],
    ['a NUL in a name', { fullName: 'Ada\u0000' }, 'fullName'],
    ['a number instead of a name', { fullName: 7 }, 'fullName'],
  ])('rejects %s, at its path', (_, change, path) => {
    expect(() => read({ ...ada, ...change })).toThrow(`At path: ${path} -- Expected `);
  });
});

describe('OptionalContact', () => {
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['false', false],
    ['an object without fields', {}],
    [
      'empty strings in every field',
      { firstName: '', lastName: '', address: '', address2: '', city: '', state: '', zip: '', phone: '' },
    ],
    ['a name of one space', { fullName: ' ' }],
    ['only a phone number and a state', { phone: '5550100100', state: 'NY', fullName: null, address: '' }],
  ])('parses %s as undefined', (_what, sent) => {
    expect(mask({ contact: sent }, object({ contact: OptionalContact }))).toEqual({ contact: undefined });
  });

  it.each<[string, unknown, string]>([
    ['true', true, 'Expected an object'],
    ['an array', [], 'Expected an object'],
    ['a string', 'Ada', 'Expected an object'],
    ['a name without an address', { fullName: 'Ada' }, 'At path: contact.address'],
    ['an address without a name', place, 'Expected `fullName`'],
    ['a city alone', { city: 'Albany' }, 'At path: contact.address'],
  ])('rejects %s', (_what, sent, reason) => {
    expect(() => mask({ contact: sent }, object({ contact: OptionalContact }))).toThrow(reason);
  });
});
