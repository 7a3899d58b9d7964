import { MAX_CENTS } from '../shared/money.ts';
import type { RateSheet } from '../shared/programs/rate-sheet.ts';
import type { PriceReason } from './events.ts';

type Currency = RateSheet['currency'];

/**
 * A whole part with or without groups of three digits, and decimals after another separator: `1299`, `1,299`, `1.299.000,00`. The groups are
 * the whole part, the separator of its groups, and the decimals.
 */
const FORMAT = /^([1-9]\d{0,2}([ .,'’])\d{3}(?:\2\d{3})*|\d+)(?:(?!\2\d)[.,](\d+))?$/;

/** Replaces the marks of the program's currency. Pages cannot contain it: HTML has no null character. */
const MARK = '\0';

/**
 * Texts whose number is not a price: a fraction, superscript cents, digits of another script, a missing whole number (`$.99`), and a negative
 * amount (`$-12`, `-$12`, `($12)`).
 */
const NOT_A_NUMBER = /(?!\d)\p{N}|-\d|\B[.,]\d|\B[-−(](?:[^\d)(−-]|\b[-−(])*\d/u;

/**
 * Texts whose price is a percentage, per period, quantity or measure, or a multiple, in English and Spanish: `$12/lb`, `$12 per month`,
 * `$12 a month`, `$12 por persona`, `por noche: $12`, `$12 el kilo`, `$12 oz`, `$12 by the yard`, `$12 mo.`, `$12 avg/night`, `$1.3 million`,
 * `every week`, `first month`, `cada mes`, `al mes: $12`, `$12 semester`, `$12 quarterly`, `$12 quincenales`, `tarifa diaria`, `$12 linear foot`.
 * Abbreviations without vowels are refused as if they were a currency: `$12 yd`, `$15 k`.
 *
 * A dot stands for different letters: `d.a` for `día` and `dia`, `do.ena?` for `dozen` and `docena`. The order of the words makes the compressed file
 * small.
 */
const RATE =
  /%|(\/ ?|\b(by the|por|every|cada|first|primer|each)\W+|\d\W*)(mo|month|semana|d.a|lb|ounce|lin(ear)?|year|persona|mil(li?on)?|noche|metro|lit..|yarda?|hora|año|oz|gal(lon)?|day|mes|foot|pound|kilo|[a-z]*mest(er|re)|do.ena?|hour|night|week)e?s?\b|\b(quincen|ann?u|mensu|seman)al|(ht?|ter|our|year|ai|ek)ly\b|\bper\b|al mes\b|\bdiari|\d\W*(la|an?|al|por|el|x)\W+\w|\d[^\w/]*\/\W*\w/iu;

/** A number with the words before and after it, and the punctuation and white space between them. */
const NUMBER_IN_CONTEXT = /(?<=(\p{L}*)((?:[^\p{L}\d\s]*\s*){2}))\d+(?:[ .,'’]\d+)*(?=((?:[^\p{L}\d\s]*\s*){2})(\p{L}*))/gu;

/** Words that are usual next to prices, although names of currencies contain or start with them, and all words of one or two letters. */
const USUAL_WORD = /^(e?special|..?|sin|for|new|nuevo|con)$/i;

/**
 * Parses the price in a text, in minor units of `currency`. Returns 0 if the price is 0 or there is no number.
 *
 * Accepts digits in groups of three with any usual separator. `locale` disambiguates prices such as `1.299`. The currency must be in
 * the notation of English or of `locale`, or missing. Words next to a price with its currency are accepted unless they are another
 * currency.
 *
 * @param locale - Valid BCP 47 tag of the text's language.
 */
export function parsePrice(text: string, locale: string, currency: Currency): number | PriceReason {
  const pattern = (markPatterns[currency.code + locale] ??= createMarkPattern(currency.code, locale));
  const marked = plain(text).replace(pattern, MARK);
  if (NOT_A_NUMBER.test(marked)) return 'number';
  const numbers = [...marked.matchAll(NUMBER_IN_CONTEXT)];
  if (!numbers[0]) return 0;
  if (RATE.test(marked)) return 'rate';

  const codes = Intl.supportedValuesOf('currency');
  const isCurrency = (word: string): boolean =>
    // Also `kr`, `Kč` and `Rs`. US dollars may be `$12 US`.
    (/^(\p{Lu}{1,2}|CDN|[^aeiouAEIOU]?[^\p{Lu}aeiouy]{1,3})$/u.test(word) && currency.code !== `${word}D`) ||
    // The start of a code or of a word in a name, also in the plural: `mxn`, `Can.`, `pesos`.
    (!USUAL_WORD.test(word) &&
      [locale, 'en'].some((language) => {
        const names = new Intl.DisplayNames(language, { type: 'currency' });
        const start = new RegExp(`\\b${word.replace(/(?<=....)e?s$/i, '')}`, 'i');
        return start.test([codes, codes.map((code) => names.of(code))].join());
      }));
  const isOther = numbers.some(
    ([, before, left, right, after]) =>
      // A word that touches the number, is next to a number without a currency, or is a currency.
      (before && (!left || isCurrency(before))) ||
      (after && (!right || isCurrency(after))) ||
      (!(left! + right!).includes(MARK) && (before || after)),
  );
  if (isOther || new RegExp(`\\p{Sc}|(?<!\\p{L})(${codes.join('|')})(?!\\p{L})`, 'u').test(marked)) return 'currency';

  const [price, ...others] = new Set(numbers.map(([number]) => parseNumber(number, locale, currency.digits)));
  if (others.length) return 'several';
  return price! >= 0 ? price! : 'number';
}

/** Patterns for the marks of currencies, by currency and language, because creating one takes longer than parsing a price. */
const markPatterns: Record<string, RegExp> = {};

/** Creates a pattern for the marks of a currency: its code, symbols and names, in English and in `locale`. */
function createMarkPattern(currency: string, locale: string): RegExp {
  let marks = currency === 'USD' ? '(US ?)?\\$( ?US)?|USD' : currency;
  for (const language of [locale, 'en']) {
    for (const currencyDisplay of ['symbol', 'narrowSymbol', 'name'] as const) {
      const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay });
      // Numbers of all categories of plurals.
      for (const number of [0, 0.001, 0.01, 1, 1.5, 2, 5, 99]) {
        for (const { type, value } of format.formatToParts(number)) {
          // Some currencies have an invisible symbol.
          if (type === 'currency' && plain(value)) marks += `|${plain(value).replace(/[$.()]/g, '\\$&')}`;
        }
      }
    }
  }
  return new RegExp(`(?<![\\p{L}\\p{Sc}])((${marks}) ?)+(?![\\p{L}\\p{Sc}])`, 'giu');
}

/** Returns a number in minor units of a currency with `digits` decimals. Returns NaN if it is ambiguous, too precise or too large. */
function parseNumber(number: string, locale: string, digits: number): number {
  const [, whole = '', group = '', decimals = ''] = FORMAT.exec(number) ?? [];
  if (group && /^\d+[.,]\d{3}$/.test(number)) {
    // `1.299` is 1 and 299 thousandths in languages with a decimal point, which is too precise for cents, and 1299 in others. In a currency
    // with three decimals, it could be meant as 1 and 299 thousandths in every language; its digits are minor units then.
    if ((0.5).toLocaleString(locale).includes(group) === digits < 3) return NaN;
    digits %= 3;
  }
  // Three decimals are more likely to be a group of thousands in the format of another language.
  if (decimals.length === 3 && digits < 3) return NaN;
  // Pages calculate prices with floating-point numbers: `59.97000000000001`.
  const minorUnits = +Number(`${whole.replace(/\D/g, '')}.${decimals}e${digits}`).toFixed(6);
  return minorUnits % 1 || minorUnits > MAX_CENTS ? NaN : minorUnits;
}

/** Removes invisible characters, and replaces white space except line breaks by blanks. */
function plain(text: string): string {
  return text.replace(/\p{Cf}/gu, '').replace(/\p{Zs}/gu, ' ');
}

/** Returns the BCP 47 tag of a `lang` attribute, or `en` if it is invalid, because `Intl` throws on invalid tags. */
export function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0]!;
  } catch {
    return 'en';
  }
}
