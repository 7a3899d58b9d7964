import { mask, object } from 'superstruct';
import { describe, expect, it } from 'vitest';
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
