import { mask } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { AsLowAsRequest } from '../../../shared/wire/as-low-as.ts';

const read = (body: unknown) => mask(body, AsLowAsRequest);

describe('a question for "as low as"', () => {
  it.each([
    [{ customTotal: 100 }],
    [{ customTotal: 1 }],
    [{ customTotal: 99_999_999_999 }],
    [{ customTotal: 74_000, financingProgramId: 'p' }],
  ])('may be %j', (body) => {
    expect(read(body)).toEqual(body);
  });

  it.each(['', null, undefined])('names no program by %j', (financingProgramId) => {
    expect(read({ customTotal: 74_000, financingProgramId })).toEqual({ customTotal: 74_000 });
  });

  it('may carry fields that only the client knows', () => {
    expect(read({ customTotal: 100, apiKey: 'k' })).toEqual({ customTotal: 100 });
  });

  it.each([
    ['nothing', undefined, 'Expected an object, but received: undefined'],
    ['a number alone', 74_000, 'Expected an object, but received: 74000'],
    ['no amount', {}, 'At path: customTotal -- Expected an integer, but received: undefined'],
    ['an amount of null', { customTotal: null }, 'At path: customTotal -- Expected an integer, but received: null'],
    ['an amount as text', { customTotal: '74000' }, 'At path: customTotal -- Expected an integer, but received: "74000"'],
    ['half a cent', { customTotal: 0.5 }, 'At path: customTotal -- Expected an integer, but received: 0.5'],
    ['an amount of nothing', { customTotal: 0 }, 'At path: customTotal -- '],
    ['a negative amount', { customTotal: -100 }, 'At path: customTotal -- '],
    ['2^53', { customTotal: 2 ** 53 }, 'At path: customTotal -- '],
    ['a program by number', { customTotal: 1, financingProgramId: 5 }, 'At path: financingProgramId -- Expected a string'],
  ])('is refused with %s', (_, body, message) => {
    expect(() => read(body)).toThrow(message);
  });
});
