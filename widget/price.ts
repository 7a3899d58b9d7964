import { MAX_CENTS } from '../shared/money.ts';
import type { RateSheet } from '../shared/programs/rate-sheet.ts';

/** Numbers in any format, with single separators between digits. */
const NUMBERS = /\d+(?:[ .,'’٬٫]\d+)*/g;

/**
 * Digits without groups, in groups of three, or in Indian groups of two; then optional decimals, with another separator than the
 * groups.
 */
const PRICE = /^(\d+|[1-9]\d?\d?([ .,'’٬])(?:\d\d(?:\d|(?=,))\2)*\d{3})(?:(?!\2\d)([.,٫])(\d+))?$/;

/**
 * Text that changes the meaning of a number: a preceding minus, bracket or decimal separator, or a following `%`, `/month`, exponent
 * or word for thousands or millions.
 */
const NOT_A_PRICE = /(\B[-−(][^\d)]*|-|\B[.,٫])\d|\d( ?(%|\/ ?\w|[万萬亿億]|lakh|crore|m[il]|bn|тыс|млн)|[ekm](?![a-z]))/i;

/** Code and symbol of each currency in one string. Cached, because formatting takes half of the time to parse a price. */
const currencyNames: Record<string, string> = {};

/**
 * Parses the price in a text, in minor units of `currency`. Returns 0 if the price is 0 or there is no number.
 *
 * Accepts the formats of all countries. `locale` disambiguates prices such as `1.299`. Returns NaN for anything else: an ambiguous
 * price, several prices, a percentage, more decimals than the currency has, or a symbol or code of another currency.
 *
 * @param locale - BCP 47 tag of the text's language.
 * @throws RangeError if `locale` is invalid.
 */
export function parsePrice(text: string, locale: string, { code, digits }: RateSheet['currency']): number {
  const plain = text
    // Superscript digits are cents or a footnote. Normalization would turn them into normal digits.
    .replace(/\p{No}/gu, '%')
    .normalize('NFKC')
    // The code points of zeros are multiples of 16, plus 6 in Indian scripts, in all scripts that Intl uses.
    .replace(/(?=[٠-᠙])\p{Nd}/gu, (digit) => `${(digit.charCodeAt(0) - (/[०-෯]/.test(digit) ? 6 : 0)) & 15}`);
  const half = (0.5).toLocaleString(locale);
  const names = (currencyNames[code] ??=
    code + (0).toLocaleString('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' }));

  const minorUnits = (number: string): number => {
    const [, whole, , separator = '', fraction = ''] = PRICE.exec(number) ?? [];
    const isGroup = /^[1-9]\d?\d?[.,]\d{3}$/.test(number) && !half.includes(separator);
    if (isGroup ? digits > 2 : fraction.length === 3 && digits < 3) return NaN;
    const amount = +`${whole?.replace(/\D/g, '')}.${fraction}e${isGroup ? digits + 3 : digits}`;
    return amount % 1 || amount > MAX_CENTS ? NaN : amount;
  };
  const isOther = (name: string) =>
    !names.includes(name) && (/\W/.test(name) || Intl.supportedValuesOf('currency').includes(name));

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
