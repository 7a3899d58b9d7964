import { describe, expect, it } from 'vitest';
import { parseAmount } from '../../../server/commands/amount.ts';

describe('parseAmount', () => {
  it.each<[input: string, currency: string, minorUnits: number]>([
    ['1299', 'USD', 129_900],
    ['1299.00', 'USD', 129_900],
    ['$1,299.00', 'USD', 129_900],
    ['$ 1,299', 'USD', 129_900],
    ['USD 1299.5', 'USD', 129_950],
    ['usd1299', 'USD', 129_900],
    ['1,234,567.89', 'USD', 123_456_789],
    [' 0.01 ', 'USD', 1],
    ['00050', 'USD', 5_000],
    ['1.10', 'USD', 110],
    ['4.35', 'USD', 435],
    ['999999999.99', 'USD', 99_999_999_999],
    ['¥1,299', 'JPY', 1_299],
    ['1299', 'KWD', 1_299_000],
    ['1,299.000', 'KWD', 1_299_000],
    ['1.299', 'KWD', 1_299],
    ['€12.34', 'EUR', 1_234],
  ])('parses %j in %s as %i minor units', (input, currency, minorUnits) => {
    expect(parseAmount(input, currency)).toBe(minorUnits);
  });

  it.each<[input: string, currency: string, reason: string]>([
    ['', 'USD', 'received ""'],
    ['$', 'USD', 'received "$"'],
    ['abc', 'USD', 'received "abc"'],
    ['-5', 'USD', 'received "-5"'],
    ['$-5', 'USD', 'received "$-5"'],
    ['+5', 'USD', 'received "+5"'],
    ['1e5', 'USD', 'received "1e5"'],
    ['0x10', 'USD', 'received "0x10"'],
    ['1_299', 'USD', 'received "1_299"'],
    ['1,29', 'USD', 'received "1,29"'],
    ['1,2999', 'USD', 'received "1,2999"'],
    ['1299,000', 'USD', 'received "1299,000"'],
    ['1.299,00', 'USD', 'received "1.299,00"'],
    ["1'299", 'USD', `received "1'299"`],
    ['1 299', 'USD', 'received "1 299"'],
    ['.5', 'USD', 'received ".5"'],
    ['5.', 'USD', 'received "5."'],
    ['€5', 'USD', 'received "€5"'],
    ['٥', 'USD', 'received "٥"'],
    ['1.299', 'USD', '"1.299" has more than 2 decimals'],
    ['1.5', 'JPY', '"1.5" has more than 0 decimals'],
    ['1,299', 'KWD', '"1,299" is ambiguous'],
    ['0', 'USD', 'received 0'],
    ['0.00', 'USD', 'received 0'],
    ['1000000000', 'USD', '"1000000000" is above $999,999,999.99'],
    ['9'.repeat(400), 'USD', 'is above $999,999,999.99'],
  ])('rejects %j in %s: %s', (input, currency, reason) => {
    expect(() => parseAmount(input, currency)).toThrow(`AMOUNT: expected an amount such as`);
    expect(() => parseAmount(input, currency)).toThrow(reason);
  });
});
