/** The short reference of an application, which commands accept instead of its id. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idEndOf, referenceOf } from '../../../../server/lending/applications/reference.ts';

describe('The reference of an application', () => {
  it.each([
    ['019b0b5c-2c44-7c61-8a57-000000000000', '0000-0000'],
    ['019b0b5c-2c44-7c61-8a57-3affffffffff', 'ZZZZ-ZZZZ'],
    ['019b0b5c-2c44-7c61-8a57-3a0000000020', '0000-0010'],
  ])('of %s is %s', (id, reference) => {
    expect(referenceOf(id)).toBe(reference);
    expect(idEndOf(reference)).toBe(id.slice(-10));
  });

  it('leads to the end of any id, in any case, without its hyphen, and with letters that look like digits', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const reference = referenceOf(id);
        expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
        const typed = reference.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
        expect([idEndOf(reference), idEndOf(typed)]).toEqual([id.slice(-10), id.slice(-10)]);
      }),
    );
  });

  it.each(['', 'unknown', 'F7K2-9QX', 'F7K2-9QXU', 'F7K2-9QXM1', '019b0b5c-2c44-7c61-8a57-3a9f3d3f0c52'])('is not %j', (text) => {
    expect(idEndOf(text)).toBeUndefined();
  });
});
