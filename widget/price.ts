import { MAX_CENTS } from '../shared/money.ts';
import type { RateSheet } from '../shared/programs/rate-sheet.ts';

/** Numbers in any format, with one separator between digits at a time. */
const NUMBERS = /\d+(?:[ .,'’٬٫]\d+)*/g;

/**
 * Digits without groups, in groups of three, or in Indian groups of two; then the decimals, whose separator differs from that of
 * the groups.
 */
const PRICE = /^(\d+|[1-9]\d?\d?([ .,'’٬])(?:\d\d(?:\d|(?=,))\2)*\d{3})(?:(?!\2\d)([.,٫])(\d+))?$/;

/**
 * What changes the meaning of a number: a preceding minus, bracket or decimal separator, or a following `%`, `/month`, exponent or
 * word for thousands or millions.
 */
const NOT_A_PRICE = /(\B[-−(][^\d)]*|-|\B[.,٫])\d|\d( ?(%|\/ ?\w|[万萬亿億]|lakh|crore|m[il]|bn|тыс|млн)|[ekm](?![a-z]))/i;

/** Code and symbol of each currency in one string. Cached, because formatting it takes as long as all the rest. */
const currencyNames: Record<string, string> = {};

/**
 * Parses the price in a text, in minor units of `currency`. Returns 0 if the price is 0 or there is no number.
 *
 * Accepts every country's format. `locale` decides between formats that differ, as in `1.299`. Returns NaN if the price is
 * ambiguous: several prices, a percentage, more decimals than the currency has, a symbol or code of another currency.
 *
 * @param locale - BCP 47 tag of the text's language.
 * @throws RangeError if `locale` is invalid.
 */
export function parsePrice(text: string, locale: string, { code, digits }: RateSheet['currency']): number {
  const plain = text
    // Superscript digits are cents or a footnote; normalization would turn them into normal digits.
    .replace(/\p{No}/gu, '%')
    .normalize('NFKC')
    // Scripts that Intl uses. Their zeros are at multiples of 16, those of Indian scripts six after one.
    .replace(/(?=[٠-᠙])\p{Nd}/gu, (digit) => `${(digit.charCodeAt(0) - (/[०-෯]/.test(digit) ? 6 : 0)) & 15}`);
  const half = (0.5).toLocaleString(locale);
  const own = (currencyNames[code] ??=
    code + (0).toLocaleString('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' }));

  const minorUnits = (written: string): number => {
    const [, whole, , mark = '', fraction = ''] = PRICE.exec(written) ?? [];
    const isGroup = /^[1-9]\d?\d?[.,]\d{3}$/.test(written) && !half.includes(mark);
    if (isGroup ? digits > 2 : fraction.length === 3 && digits < 3) return NaN;
    const amount = +`${whole?.replace(/\D/g, '')}.${fraction}e${isGroup ? digits + 3 : digits}`;
    return amount % 1 || amount > MAX_CENTS ? NaN : amount;
  };
  const isOther = (name: string) => !own.includes(name) && (/\W/.test(name) || Intl.supportedValuesOf('currency').includes(name));

  const [price = 0, another] = new Set(plain.match(NUMBERS)?.map(minorUnits));
  return another !== undefined || NOT_A_PRICE.test(plain) || plain.match(/[A-Z]+|\p{Sc}/gu)?.some(isOther) ? NaN : price;
}

/** Returns the BCP 47 tag of a `lang` attribute, or `en` if it is invalid, because `Intl` throws on invalid tags. */
export function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
