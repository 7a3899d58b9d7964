import { describe, expect, it } from 'vitest';
import { findFigures } from '../../../shared/advertising/figures.ts';
import { plainText } from '../../../shared/advertising/plain-text.ts';

const figuresIn = (text: string, currency = 'USD', language: 'en' | 'es' = 'en') =>
  findFigures(plainText(text), currency, language);
const centsIn = (text: string, currency?: string, language?: 'en' | 'es') =>
  figuresIn(text, currency, language).map(({ kind, cents }) => (kind === 'money' ? cents : kind));

describe('an amount', () => {
  it.each([
    ['$72.21', 7_221],
    ['$1,299.00', 129_900],
    ['$1,299', 129_900],
    ['$72', 7_200],
    ['$72.5', 7_250],
    ['$ 72.21', 7_221],
    ['US$72.21', 7_221],
    ['USD 72.21', 7_221],
    ['72.21 USD', 7_221],
    ['72 dollars', 7_200],
    ['1 dollar', 100],
    ['PAY$72.21', 7_221],
    ['$25k', 2_500_000],
    ['$12,345,678.90', 1_234_567_890],
    ['$999,999,999.99', 99_999_999_999],
    ['$0', 0],
    ["$1'299.00", 129_900],
  ])('%s is %i cents', (text, cents) => {
    expect(centsIn(text)).toEqual([cents]);
  });

  it.each([
    ['¥1,299', 'JPY', 1_299],
    ['￥1,299', 'JPY', 1_299],
    ['1,299 yenes', 'JPY', 1_299],
    ['KWD\u00a01.250', 'KWD', 1_250],
    ['KWD 1,250.5', 'KWD', 1_250_500],
    ['€72.21', 'EUR', 7_221],
    ['EUR 72.21', 'EUR', 7_221],
    ['MX$72.21', 'MXN', 7_221],
    ['72.21 pesos', 'MXN', 7_221],
    ['CA$72.21', 'CAD', 7_221],
    ['$72.21', 'CAD', 7_221],
    ['CLF 2.5000', 'CLF', 25_000],
  ])('%s is read in %s', (text, currency, minorUnits) => {
    expect(centsIn(text, currency)).toEqual([minorUnits]);
    expect(centsIn(text, currency, 'es')).toEqual([minorUnits]);
  });

  it.each([
    ['1.299,00 $', [129_900]],
    ['$1.299', [129_900]],
    ['72,21 dólares', [7_221]],
    ['1\u202f299,00 $', [129_900]],
    ['$1.299 y $72,21', [129_900, 7_221]],
    ['$1,299.00', [129_900]],
    ['$1,299', [129_900]],
    ['72,21 $ a 9,99 %', [7_221, 'percent']],
  ])('%s may be Spanish', (text, cents) => {
    expect(centsIn(text, 'USD', 'es')).toEqual(cents);
  });

  it.each([
    ['$1.299', 'in English', 'en', 'has more digits than its currency'],
    ['$1.299,00', 'in English', 'en', 'is not written as numbers are'],
    ['$1,299.00, $2,599.00 y $1.299', 'written unlike the others', 'es', 'has more digits than its currency'],
    ['$1,29.00', 'grouped by two', 'en', 'is not written as numbers are'],
    ['$11.20.2026', 'a date', 'en', 'is not written as numbers are'],
    ['$72.215', 'with half a cent', 'en', 'has more digits than its currency'],
    ['€72.21', 'in another currency', 'en', 'is not in the currency of the advertisement'],
    ['C$72.21', 'in another dollar', 'en', 'is not in the currency of the advertisement'],
    ['72,21 €', 'in another currency', 'es', 'is not in the currency of the advertisement'],
    ['$1.5 million', 'in millions', 'en', 'is not written as numbers are'],
    ['$5M', 'in millions', 'en', 'is not written as numbers are'],
    ['$1 299.00', 'with a space that may part two numbers', 'en', 'is followed by three digits of its own or of another'],
    ['$1,000,000,000.00', 'above every amount', 'en', 'is more than any amount'],
    [`$${'9'.repeat(400)}`, 'beyond reading', 'en', 'is not written as numbers are'],
  ] as const)('%s is not read: %s', (text, _, language, problem) => {
    const unread = figuresIn(text, 'USD', language).filter((figure) => figure.problem);

    expect(unread).toMatchObject([{ kind: 'money', problem }]);
    expect(unread[0]).not.toHaveProperty('cents');
  });

  it.each([
    ['about $72', 100],
    ['approximately $72.21', 1],
    ['~$72.21', 1],
    ['≈ $72.21', 1],
    ['unos $72', 100],
    ['aproximadamente $72.21', 1],
    ['alrededor de $72.2', 10],
    ['about $25k', 100_000],
  ])('%s is only about so much, to %i cents', (text, unitCents) => {
    expect(figuresIn(text)).toMatchObject([{ isApproximate: true, unitCents, start: 0, end: plainText(text).text.length }]);
  });
});

describe('a percentage', () => {
  it.each([
    ['15%', 15],
    ['15 %', 15],
    ['9.99%', 9.99],
    ['21.988%', 21.988],
    ['15 percent', 15],
    ['15 per cent', 15],
    ['15 por ciento', 15],
    ['0.00%', 0],
  ])('%s is read', (text, value) => {
    expect(figuresIn(text)).toMatchObject([{ kind: 'percent', value }]);
  });

  it('may be written with a comma in Spanish', () => {
    expect(figuresIn('9,99 %', 'USD', 'es')).toMatchObject([{ kind: 'percent', value: 9.99 }]);
  });

  it.each(['6 1/2%', '6½%'])('%s is a fraction, which is not read', (text) => {
    expect(figuresIn(text).at(-1)).toMatchObject({ kind: 'percent', problem: 'is the end of a fraction, which is not read' });
  });
});

describe('a bare number', () => {
  it.each([
    ['24 months', 24],
    ['24months', 24],
    ['x24', 24],
    ['twelve monthly payments', 12],
    ['Forty-eight payments', 48],
    ['doce meses', 12],
    ['treinta y seis cuotas', 36],
  ])('%s is read', (text, value) => {
    expect(figuresIn(text)).toMatchObject([{ kind: 'number', value }]);
  });

  it('may be an amount without its currency', () => {
    expect(figuresIn('24 x 204.45')).toMatchObject([
      { value: 24, cents: 2_400 },
      { value: 204.45, cents: 20_445 },
    ]);
  });

  it.each(['A12', 'one of them', 'twelve o’clock', 'once in a while'])('%s is none', (text) => {
    expect(figuresIn(text)).toEqual([]);
  });
});

describe('in an advertisement', () => {
  it('are told apart by what stands at them', () => {
    const text = 'Offer ends 11/20/2026: $500 12 payments of USD 43.97 at 10% APR, 1-800-555-1234.';

    expect(
      figuresIn(text)
        .map(({ kind }) => kind)
        .join(' '),
    ).toBe('number number number money number money percent number number number number');
  });

  it('refuse a currency that is none', () => {
    expect(() => figuresIn('$1', 'dollars')).toThrow(RangeError);
  });
});
