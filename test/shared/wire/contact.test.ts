import { mask, object } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { ContactInput, OptionalContact } from '../../../shared/wire/contact.ts';

const place = { address: '1 Main Street', city: 'Albany', state: 'NY' };
const ada = { fullName: 'Ada Lovelace', ...place };
const read = (contact: unknown) => mask(contact, ContactInput);

describe('a contact', () => {
  it.each([
    ['a full name', { fullName: 'Ada Lovelace' }],
    ['a first and a last name', { firstName: 'Ada', lastName: 'Lovelace' }],
    ['all three', { fullName: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace' }],
    ['a full name and a first one', { fullName: 'Ada Lovelace', firstName: 'Ada' }],
    ['a name of one word', { fullName: 'Ada' }],
  ])('is named by %s', (_, names) => {
    expect(read({ ...names, ...place })).toEqual({ ...names, ...place });
  });

  it.each([
    ['no name', {}],
    ['a first name alone', { firstName: 'Ada' }],
    ['a last name alone', { lastName: 'Lovelace' }],
    ['an empty full name', { fullName: '' }],
    ['names of null', { fullName: null, firstName: null, lastName: null }],
    ['an empty last name', { firstName: 'Ada', lastName: '' }],
  ])('is refused with %s', (_, names) => {
    expect(() => read({ ...names, ...place })).toThrow(
      'Expected `fullName`, or `firstName` and `lastName`, but received neither',
    );
  });

  it.each(['phone', 'email', 'address2', 'zip'])('may leave out %s, or send it empty, or null', (field) => {
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
  ])('takes the phone number %s as %s', (phone, digits) => {
    expect(read({ ...ada, phone }).phone).toBe(digits);
  });

  it.each([
    ['12207', '12207'],
    ['12207-1234', '12207'],
    ['122071234', '12207'],
    [' 12207 ', '12207'],
    ['01234', '01234'],
  ])('takes the zip %s as %s', (zip, digits) => {
    expect(read({ ...ada, zip }).zip).toBe(digits);
  });

  it.each([
    ['NY', 'NY'],
    ['ny', 'NY'],
    [' dc ', 'DC'],
  ])('takes the state %s as %s', (state, code) => {
    expect(read({ ...ada, state }).state).toBe(code);
  });

  it.each([
    ['a phone of nine digits', { phone: '555123456' }, 'phone'],
    ['a phone of letters', { phone: '555-CALL-NOW' }, 'phone'],
    ['a phone from abroad', { phone: '+44 20 7946 0000' }, 'phone'],
    ['a phone as a number', { phone: 5_551_234_567 }, 'phone'],
    ['a zip of four digits', { zip: '1220' }, 'zip'],
    ['a zip as a number', { zip: 12_207 }, 'zip'],
    ['a zip from abroad', { zip: 'SW1A 1AA' }, 'zip'],
    ['a state by name', { state: 'New York' }, 'state'],
    ['a territory', { state: 'PR' }, 'state'],
    ['a state that every object has', { state: 'constructor' }, 'state'],
    ['a state of null', { state: null }, 'state'],
    ['an e-mail without a place', { email: 'ada' }, 'email'],
    ['an e-mail with a space', { email: 'ada love@example.com' }, 'email'],
    ['an e-mail with a line break', { email: 'ada@example.com\nBcc: all@example.com' }, 'email'],
    ['an e-mail of 255 characters', { email: `${'a'.repeat(243)}@example.com` }, 'email'],
    ['no street', { address: undefined }, 'address'],
    ['an empty city', { city: '' }, 'city'],
    ['a street of 201 characters', { address: 'x'.repeat(201) }, 'address'],
    ['a NUL in a name', { fullName: 'Ada\u0000' }, 'fullName'],
    ['a number for a name', { fullName: 7 }, 'fullName'],
  ])('is refused with %s, at its path', (_, change, path) => {
    expect(() => read({ ...ada, ...change })).toThrow(`At path: ${path} -- Expected `);
  });
});

describe('a contact that may be left out', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['false', false],
    ['an object without fields', {}],
    [
      'blanks in every field',
      { firstName: '', lastName: '', address: '', address2: '', city: '', state: '', zip: '', phone: '' },
    ],
    ['a name of the spaces between two names that are not there', { fullName: ' ' }],
    ['a phone and a state alone, of nobody and nowhere', { phone: '5550100100', state: 'NY', fullName: null, address: '' }],
  ])('is left out as %s', (_what, sent) => {
    expect(mask({ contact: sent }, object({ contact: OptionalContact }))).toEqual({ contact: undefined });
  });

  it.each<[string, unknown, string]>([
    ['true', true, 'Expected an object'],
    ['a list', [], 'Expected an object'],
    ['text', 'Ada', 'Expected an object'],
    ['a name without a place', { fullName: 'Ada' }, 'At path: contact.address'],
    ['a place without a name', place, 'Expected `fullName`'],
    ['a city alone', { city: 'Albany' }, 'At path: contact.address'],
  ])('is refused as %s', (_what, sent, reason) => {
    expect(() => mask({ contact: sent }, object({ contact: OptionalContact }))).toThrow(reason);
  });
});
