import { MAX_CENTS } from '../shared/money.ts';
import type { RateSheet } from '../shared/programs/rate-sheet.ts';

type Currency = RateSheet['currency'];

/** A number in any format: digits with single separators between them. */
const NUMBER = /\d+(?:[ .,'’]\d+)*/g;

/** Digits without groups: `1299`, `1299.00`. */
const PLAIN = /^(?<whole>\d+)(?:(?<separator>[.,])(?<decimals>\d+))?$/;

/** Digits in groups of three, with another separator before the decimals: `1,299`, `1.299.000,00`. */
const GROUPED = /^(?<whole>[1-9]\d{0,2}(?<group>[ .,'’])\d{3}(?:\k<group>\d{3})*)(?:(?!\k<group>)[.,](?<decimals>\d+))?$/;

/** Texts in which a number is not the price that it seems to be. */
const NOT_A_PRICE = [
  // A negative amount: `-$12`, `$-12`, `($12)`.
  /\B[-−(](?:[^\d)(−-]|\b[-−(])*\d|-\d/,
  // The whole number is missing: `$.99`.
  /\B[.,]\d/,
  // A rate: `20%`, `$12/month`.
  /\d ?(%|\/ ?\w)/,
  // A multiple: `$15k`, `$1.3 million`, `1e5`, `12万`.
  /\d ?(m[il]|bn|lakh|crore)|\d[ekm](?![a-z])/i,
  // The same with a letter that is not Latin.
  /\d ?[^\P{L}\p{Script=Latin}]/u,
  // A fraction, superscript cents, or digits of another script.
  /[^\P{N}\d]/u,
];

/**
 * Parses the price in a text, in minor units of `currency`. Returns 0 if the price is 0 or there is no number.
 *
 * Accepts digits in groups of three with any usual separator. `locale` disambiguates prices such as `1.299`. Returns NaN for anything
 * else: an ambiguous price, several prices, a percentage, more decimals than the currency has, or a symbol or code of another currency.
 *
 * @param locale - Valid BCP 47 tag of the text's language.
 */
export function parsePrice(text: string, locale: string, currency: Currency): number {
  const plainText = text.replace(/\p{Zs}/gu, ' ');
  if (NOT_A_PRICE.some((pattern) => pattern.test(plainText)) || namesOtherCurrency(plainText, currency.code)) return NaN;
  const prices = new Set(plainText.match(NUMBER)?.map((number) => parseNumber(number, locale, currency.digits)));
  const [price = 0] = prices;
  return prices.size > 1 ? NaN : price;
}

/** Returns a number in minor units of a currency with `digits` decimals. Returns NaN if it is ambiguous, too precise or too large. */
function parseNumber(number: string, locale: string, digits: number): number {
  const { whole = '', decimals = '' } = split(number, locale, digits) ?? {};
  // Three decimals are more likely to be a group of thousands in the format of another language.
  if (decimals.length === 3 && digits < 3) return NaN;
  const minorUnits = Number(`${whole.replace(/\D/g, '')}.${decimals}e${digits}`);
  return Number.isInteger(minorUnits) && minorUnits <= MAX_CENTS ? minorUnits : NaN;
}

/** Splits a number into its whole part and its decimals. Returns undefined if it has no usual format, or two meanings. */
function split(number: string, locale: string, digits: number): Record<string, string> | undefined {
  const plain = PLAIN.exec(number)?.groups;
  const grouped = GROUPED.exec(number)?.groups;
  if (!plain || !grouped) return plain ?? grouped;
  // `1.299` is 1 and 299 thousandths in languages with a decimal point, and 1299 in others.
  const isDecimalSeparator = (0.5).toLocaleString(locale).includes(plain['separator']!);
  if (isDecimalSeparator) return plain;
  // In a currency with three decimals, a price could be meant as 1 and 299 thousandths in every language.
  return digits < 3 ? grouped : undefined;
}

/** Returns true if the text has a currency symbol, or the ISO 4217 code of a currency, other than those of `code`. */
function namesOtherCurrency(text: string, code: string): boolean {
  const zero = (0).toLocaleString('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' });
  const codes = Intl.supportedValuesOf('currency');
  return (text.match(/[A-Z]+|\p{Sc}/gu) ?? []).some(
    (name) => !`${code} ${zero}`.includes(name) && (/\W/.test(name) || codes.includes(name)),
  );
}

/** Returns the BCP 47 tag of a `lang` attribute, or `en` if it is invalid, because `Intl` throws on invalid tags. */
export function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
