import { create, is, mask, object } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { EmailCartRequest } from '../../../shared/wire/cart.ts';
import { Email } from '../../../shared/wire/contact-fields.ts';
import { OptionalContact } from '../../../shared/wire/contact.ts';

const place = { address: '1 Main Street', city: 'Albany', state: 'NY' };

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
  ])('parses %s as undefined', (_case, sent) => {
    expect(mask({ contact: sent }, object({ contact: OptionalContact }))).toEqual({ contact: undefined });
  });

  it.each<[string, unknown, string]>([
    ['true', true, 'Expected an object'],
    ['an array', [], 'Expected an object'],
    ['a string', 'Ada', 'Expected an object'],
    ['a name without an address', { fullName: 'Ada' }, 'At path: contact.address'],
    ['an address without a name', place, 'Expected `fullName`'],
    ['a city alone', { city: 'Albany' }, 'At path: contact.address'],
  ])('rejects %s', (_case, sent, reason) => {
    expect(() => mask({ contact: sent }, object({ contact: OptionalContact }))).toThrow(reason);
  });
});

describe('Email', () => {
  const email = 'ada@example.com';

  it.each([' ', '\t', '\n', '\r\n', '\u00a0', '\u3000', '\ufeff'])('is stored without white space around it: %j', (space) => {
    expect(create(`${space}${email}${space}`, Email)).toBe(email);
    expect(create({ email: `${space}${email}`, name: 'Ada' }, EmailCartRequest).email).toBe(email);
    expect(is(`ada${space}@example.com`, Email)).toBe(false);
  });

  it('has at most 254 characters with the white space around it', () => {
    expect(create(`${' '.repeat(254 - email.length)}${email}`, Email)).toBe(email);
    expect(() => create(`${' '.repeat(255 - email.length)}${email}`, Email)).toThrow('Expected an email address');
  });
});
