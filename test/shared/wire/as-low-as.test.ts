import { mask } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { AsLowAsRequest } from '../../../shared/wire/as-low-as.ts';

const read = (body: unknown) => mask(body, AsLowAsRequest);

describe('AsLowAsRequest', () => {
  it.each([
    [{ customTotal: 100 }],
    [{ customTotal: 1 }],
    [{ customTotal: 99_999_999_999 }],
    [{ customTotal: 74_000, financingProgramId: 'p' }],
  ])('accepts %j', (body) => {
    expect(read(body)).toEqual(body);
  });

  it.each(['', null, undefined])('treats %j as no program', (financingProgramId) => {
    expect(read({ customTotal: 74_000, financingProgramId })).toEqual({ customTotal: 74_000 });
  });

  it('ignores unknown fields', () => {
    expect(read({ customTotal: 100, apiKey: 'k' })).toEqual({ customTotal: 100 });
  });

  it.each([
    ['nothing', undefined, 'Expected an object, but received: undefined'],
    ['a number', 74_000, 'Expected an object, but received: 74000'],
    ['no amount', {}, 'At path: customTotal -- Expected an integer, but received: undefined'],
    ['an amount of null', { customTotal: null }, 'At path: customTotal -- Expected an integer, but received: null'],
    ['an amount as text', { customTotal: '74000' }, 'At path: customTotal -- Expected an integer, but received: "74000"'],
    ['half a cent', { customTotal: 0.5 }, 'At path: customTotal -- Expected an integer, but received: 0.5'],
    ['an amount of 0', { customTotal: 0 }, 'At path: customTotal -- '],
    ['a negative amount', { customTotal: -100 }, 'At path: customTotal -- '],
    ['2^53', { customTotal: 2 ** 53 }, 'At path: customTotal -- '],
    ['a number as program', { customTotal: 1, financingProgramId: 5 }, 'At path: financingProgramId -- Expected a string'],
  ])('rejects %s', (_, body, message) => {
    expect(() => read(body)).toThrow(message);
  });
});
