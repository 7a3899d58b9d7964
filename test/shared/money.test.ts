import { describe, expect, it } from 'vitest';
import { formatMoney, MAX_CENTS, minorUnitDigits } from '../../shared/money.ts';

/** Replaces the non-breaking spaces that Intl writes between numbers and symbols. */
const withPlainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('formatMoney', () => {
  it.each([
    [129_900, '$1,299.00'],
    [3_414, '$34.14'],
    [100, '$1.00'],
    [5, '$0.05'],
    [0, '$0.00'],
    [-0, '$0.00'],
    [-5, '-$0.05'],
    [-129_900, '-$1,299.00'],
    [MAX_CENTS, '$999,999,999.99'],
  ])('formats %d cents as %s', (cents, text) => {
    expect(formatMoney(cents)).toBe(text);
  });

  it.each([
    ['JPY', 1_299, '¥1,299'],
    ['JPY', -1, '-¥1'],
    ['USD', 1_299, '$12.99'],
    ['EUR', 1_299, '€12.99'],
    ['KWD', 1_299, 'KWD 1.299'],
    ['KWD', 7, 'KWD 0.007'],
    ['KWD', -1_299_000, '-KWD 1,299.000'],
  ])('formats $1 minor units of $0 as $2', (currency, minorUnits, text) => {
    expect(withPlainSpaces(formatMoney(minorUnits, currency))).toBe(text);
  });

  it.each([
    ['en-US', 'USD', '$1,234,567.89'],
    ['de-DE', 'EUR', '1.234.567,89 €'],
    ['fr-FR', 'EUR', '1 234 567,89 €'],
    ['en-IN', 'INR', '₹12,34,567.89'],
    ['es-US', 'USD', '$1,234,567.89'],
  ])('formats an amount for $0 in $1 as $2', (locale, currency, text) => {
    expect(withPlainSpaces(formatMoney(123_456_789, currency, locale))).toBe(text);
  });

  it.each([
    ['JPY', '¥9,007,199,254,740,991'],
    ['USD', '$90,071,992,547,409.91'],
    ['KWD', 'KWD 9,007,199,254,740.991'],
  ])('formats the largest safe integer in %s without loss of precision', (currency, text) => {
    expect(withPlainSpaces(formatMoney(Number.MAX_SAFE_INTEGER, currency))).toBe(text);
    expect(withPlainSpaces(formatMoney(Number.MIN_SAFE_INTEGER, currency))).toBe(`-${text}`);
  });

  it('rejects an invalid currency code', () => {
    expect(() => formatMoney(100, 'dollars')).toThrow(RangeError);
  });

  it.each([12.5, 2 ** 53, Number.NaN, Infinity])('rejects %s minor units', (minorUnits) => {
    expect(() => formatMoney(minorUnits)).toThrow(`minorUnits: expected a safe integer, but received ${minorUnits}`);
  });
});

describe('minorUnitDigits', () => {
  it.each([
    ['USD', 2],
    ['EUR', 2],
    ['MXN', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['BHD', 3],
    ['TND', 3],
    ['CLF', 4],
    // ISO 4217 differs from the cash usage of JavaScript engines for these.
    ['IQD', 3],
    ['LBP', 2],
    ['ISK', 0],
    ['UGX', 0],
  ])('of %s is %i', (currency, digits) => {
    expect(minorUnitDigits(currency)).toBe(digits);
    const plain = formatMoney(1, currency, 'en-US').replace(/[^\d.]/g, '');
    expect(plain).toBe(digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`);
  });

  it('is 2 for unknown codes', () => {
    expect(minorUnitDigits('F C')).toBe(2);
    expect(minorUnitDigits('')).toBe(2);
  });
});
