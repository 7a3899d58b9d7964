import { describe, expect, it } from 'vitest';
import { decimal, formatMoney, MAX_CENTS } from '../../shared/money.ts';

/** What Intl writes between a number and a symbol in some locales: spaces that a line does not break at. */
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
  ])('%d cents read %s', (cents, text) => {
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
  ])('in %s, %d minor units read %s', (currency, minorUnits, text) => {
    expect(withPlainSpaces(formatMoney(minorUnits, currency))).toBe(text);
  });

  it.each([
    ['en-US', 'USD', '$1,234,567.89'],
    ['de-DE', 'EUR', '1.234.567,89 €'],
    ['fr-FR', 'EUR', '1 234 567,89 €'],
    ['en-IN', 'INR', '₹12,34,567.89'],
    ['es-US', 'USD', '$1,234,567.89'],
  ])('%s writes %s as %s', (locale, currency, text) => {
    expect(withPlainSpaces(formatMoney(123_456_789, currency, locale))).toBe(text);
  });

  it.each([
    ['JPY', '¥9,007,199,254,740,991'],
    ['USD', '$90,071,992,547,409.91'],
    ['KWD', 'KWD 9,007,199,254,740.991'],
  ])('the largest safe integer loses nothing in %s', (currency, text) => {
    expect(withPlainSpaces(formatMoney(Number.MAX_SAFE_INTEGER, currency))).toBe(text);
    expect(withPlainSpaces(formatMoney(Number.MIN_SAFE_INTEGER, currency))).toBe(`-${text}`);
  });

  it('refuses a currency that is none', () => {
    expect(() => formatMoney(100, 'dollars')).toThrow(RangeError);
  });
});

describe('decimal', () => {
  it.each([
    [12_345, 2, '123.45'],
    [5, 2, '0.05'],
    [50, 2, '0.50'],
    [100, 2, '1.00'],
    [0, 2, '0.00'],
    [-5, 2, '-0.05'],
    [-12_345, 2, '-123.45'],
    [1_299, 0, '1299'],
    [-1_299, 0, '-1299'],
    [0, 0, '0'],
    [1_299, 3, '1.299'],
    [7, 3, '0.007'],
    [Number.MAX_SAFE_INTEGER, 0, '9007199254740991'],
    [Number.MAX_SAFE_INTEGER, 2, '90071992547409.91'],
    [Number.MAX_SAFE_INTEGER, 3, '9007199254740.991'],
  ])('%d with %d digits after the point is %s', (minorUnits, digits, text) => {
    expect(decimal(minorUnits, digits)).toBe(text);
  });
});

it('500 lines of the largest amount still add up to a safe integer', () => {
  expect(Number.isSafeInteger(500 * MAX_CENTS)).toBe(true);
});
