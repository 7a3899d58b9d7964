import type { Language } from '../disclosure/texts.ts';
import { MAX_CENTS, minorUnitDigits } from '../money.ts';
import { numberWords } from './number-words.ts';
import { digitsOf, NUMERAL, type Separators, separatorsOf } from './numerals.ts';
import type { PlainText } from './plain-text.ts';

/** A number of an advertisement and what it is written as. */
export interface Figure {
  kind: 'money' | 'percent' | 'number';
  /** Where it stands in the plain text, with its currency or percent sign and a word such as "about" before it. */
  start: number;
  end: number;
  /** A percentage or a bare number. Undefined when it cannot be read. */
  value?: number;
  /** An amount in the currency's minor unit, and a bare number taken for one. Undefined when it cannot be read. */
  cents?: number;
  /** What its last digit is worth: 100 for `$72`, 1 for `$72.21`. */
  unitCents: number;
  isApproximate: boolean;
  /** Why it cannot be read. */
  problem?: string;
}

interface Found {
  kind: Figure['kind'];
  start: number;
  end: number;
  numeral: string;
  isForeign: boolean;
  /** What is behind the figure and says that it is so many times as much; 0 for a word that is not known well enough. */
  times: number;
}

/** Every number of a text, in order. Takes time in proportion to the text. */
export function findFigures({ text }: PlainText, currency: string, language: Language): Figure[] {
  const digits = minorUnitDigits(currency);
  const signs = signsOf(currency);
  const found = [...text.matchAll(NUMERAL)].flatMap((match) => foundAt(text, match.index, match[0], signs) ?? []);
  const telling = found
    .filter(({ kind }) => kind !== 'number')
    .map(({ kind, numeral }) => ({ numeral, mostDigits: kind === 'money' ? digits : 6 }));
  const separators = separatorsOf(telling, language);
  const numbers = numberWords(text).map((word): Figure => ({ ...word, kind: 'number', unitCents: 1, isApproximate: false }));
  return [...found.map((one) => figureOf(text, one, separators, digits)), ...numbers].sort((a, b) => a.start - b.start);
}

/** What stands before or behind an amount in a currency: its code, its signs and its names. */
interface Signs {
  signs: Set<string>;
  names: string[];
}

const known = new Map<string, Signs>();

/** Kept, because building a formatter takes longer than reading an advertisement. @throws RangeError - no ISO 4217 code. */
function signsOf(currency: string): Signs {
  const kept = known.get(currency) ?? signsFrom(currency);
  known.set(currency, kept);
  return kept;
}

function signsFrom(currency: string): Signs {
  const parts = (locale: string, currencyDisplay: 'symbol' | 'narrowSymbol' | 'name') =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
      .formatToParts(2)
      .find(({ type }) => type === 'currency')!
      .value.normalize('NFKD')
      .replace(/\p{M}/gu, '');
  const signs = ['en-US', 'es-US', 'es-ES'].flatMap((locale) => [parts(locale, 'symbol'), parts(locale, 'narrowSymbol')]);
  // The noun is the last word in English and the first in Spanish: US dollars, dólares estadounidenses.
  const names = [parts('en', 'name').split(' ').at(-1)!, parts('es', 'name').split(' ')[0]!];
  return {
    signs: new Set([currency, ...signs].map((sign) => sign.toUpperCase())),
    names: names.map((name) => name.toLowerCase()),
  };
}

const SIGN_BEFORE = /((?:\b(?:US|CA|MX|AU|NZ|HK|NT|RD|CN|JP|[ACRS]))?\p{Sc}|\b[A-Z]{3}) ?$/u;
const SIGN_BEHIND = /^ ?(?:((?:US)?\p{Sc}|[A-Z]{3}\b)(?! ?\d)|([A-Za-z]{2,20})\b)/u;
const PERCENT = /^ ?(?:%|percent\b|per cent\b|por ciento\b|pct\b)/i;
const MANY = /^ ?(k|mm?|bn?|million|billion|thousand|mil|millon|millones)\b/i;

/** Undefined for digits that are part of a name, such as A12. */
function foundAt(text: string, at: number, numeral: string, { signs, names }: Signs): Found | undefined {
  const behindAt = at + numeral.length;
  const before = SIGN_BEFORE.exec(text.slice(Math.max(0, at - 6), at));
  const signBefore = before?.[1] ?? '';
  const many = MANY.exec(text.slice(behindAt, behindAt + 12));
  const times = many ? (many[1]!.toLowerCase() === 'k' ? 1_000 : 0) : 1;
  const end = behindAt + (many && times ? many[0].length : 0);
  const behind = SIGN_BEHIND.exec(text.slice(end, end + 24));
  const signBehind = behind?.[1] ?? '';
  const isName = (word?: string) => names.some((name) => name === word || name === `${word}s`);
  const common = { numeral, times };

  const isOwn = signs.has(signBefore);
  if (isOwn || /\p{Sc}/u.test(signBefore)) {
    return { ...common, kind: 'money', start: at - before![0].length, end, isForeign: !isOwn };
  }
  const percent = PERCENT.exec(text.slice(behindAt, behindAt + 14));
  if (percent) return { ...common, times: 1, kind: 'percent', start: at, end: behindAt + percent[0].length, isForeign: false };
  const isOwnBehind = signs.has(signBehind) || isName(behind?.[2]?.toLowerCase());
  if (isOwnBehind || /\p{Sc}/u.test(signBehind)) {
    return { ...common, kind: 'money', start: at, end: end + behind![0].length, isForeign: !isOwnBehind };
  }
  if (/[A-Za-wyz]/.test(text[at - 1] ?? '')) return undefined;
  return { ...common, times: 1, kind: 'number', start: at, end: behindAt, isForeign: false };
}

const APPROXIMATELY =
  /(?:\b(?:about|approximately|approx\.?|around|roughly|nearly|unos|unas|aproximadamente|aprox\.?|alrededor de|cerca de|casi)|[~\u2248\u2245]) ?$/i;

function figureOf(text: string, found: Found, separators: Separators, currencyDigits: number): Figure {
  const { kind, start, end, numeral, isForeign, times } = found;
  const about = APPROXIMATELY.exec(text.slice(Math.max(0, start - 16), start));
  const digits = digitsOf(numeral, separators);
  const figure: Figure = {
    kind,
    start: start - (about?.[0].length ?? 0),
    end,
    unitCents: times * 10 ** (currencyDigits - Math.min(currencyDigits, digits?.fraction.length ?? 0)),
    isApproximate: about !== null,
  };

  if (isForeign) return { ...figure, problem: 'is not in the currency of the advertisement' };
  if (!digits || times === 0) return { ...figure, problem: 'is not written as numbers are' };
  const value = Number(`${digits.whole}.${digits.fraction || 0}`);
  if (kind === 'percent') {
    const isPart = /\d ?\/ ?$|\d[ -]?\/$/.test(text.slice(Math.max(0, start - 3), start));
    return isPart ? { ...figure, problem: 'is the end of a fraction, which is not read' } : { ...figure, value };
  }
  const isAmount = digits.fraction.length <= currencyDigits;
  const cents = isAmount ? times * Number(digits.whole + digits.fraction.padEnd(currencyDigits, '0')) : Infinity;
  if (kind === 'number') return cents <= MAX_CENTS ? { ...figure, value, cents } : { ...figure, value };
  if (!isAmount) return { ...figure, problem: 'has more digits than its currency' };
  if (/^ \d{3}(?!\d)/.test(text.slice(end, end + 5)))
    return { ...figure, problem: 'is followed by three digits of its own or of another' };
  return cents <= MAX_CENTS ? { ...figure, cents } : { ...figure, problem: 'is more than any amount' };
}
