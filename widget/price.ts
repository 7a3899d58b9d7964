import { MAX_CENTS } from '../shared/money.ts';
import type { RateSheet } from '../shared/programs/rate-sheet.ts';

/** Numbers as they are written, with one mark between digits at a time. */
const NUMBERS = /\d+(?:[ .,'’٬٫]\d+)*/g;

/**
 * Digits alone, or in groups: of three, or Indian ones of two; then what stands behind the decimal mark, which is not the
 * mark of the groups.
 */
const PRICE = /^(\d+|[1-9]\d?\d?([ .,'’٬])(?:\d\d(?:\d|(?=,))\2)*\d{3})(?:(?!\2\d)([.,٫])(\d+))?$/;

/**
 * What makes a number another one than it looks: a minus or a bracket before it, a decimal mark with nothing before it,
 * or `%`, `/month`, `1e3`, thousands and millions in words behind it.
 */
const NO_PRICE = /(\B[-−(][^\d)]*|-|\B[.,٫])\d|\d( ?(%|\/ ?\w|[万萬亿億]|lakh|crore|m[il]|bn|тыс|млн)|[ekm](?![a-z]))/i;

/** By currency, a text that has its code and its symbol. Kept, because formatting one takes as long as all the rest. */
const ownNames: Record<string, string> = {};

/**
 * The one price that a text says, in the minor unit of `currency`. 0 when it says 0 or has no number at all.
 *
 * It is read in any country's format. Where two formats make different prices of it, as of `1.299`, the one of `locale` is
 * meant. NaN when that leaves doubt: several prices, a percentage, more decimals than the currency has, a symbol or code of
 * another currency.
 *
 * @param locale - BCP 47 tag of the language the text is in.
 * @throws RangeError - `locale` is no tag.
 */
export function parsePrice(text: string, locale: string, { code, digits }: RateSheet['currency']): number {
  const plain = text
    // Raised digits are cents or a footnote; what follows would make them digits like others.
    .replace(/\p{No}/gu, '%')
    .normalize('NFKC')
    // Intl writes in these scripts. Each has its zero at a multiple of 16, those of India six behind one.
    .replace(/(?=[٠-᠙])\p{Nd}/gu, (digit) => `${(digit.charCodeAt(0) - (/[०-෯]/.test(digit) ? 6 : 0)) & 15}`);
  const half = (0.5).toLocaleString(locale);
  const own = (ownNames[code] ??=
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
  return another !== undefined || NO_PRICE.test(plain) || plain.match(/[A-Z]+|\p{Sc}/gu)?.some(isOther) ? NaN : price;
}
