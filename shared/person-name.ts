/** Letters of any script with their accents and joiners, spaces, and the punctuation of names: apostrophes, hyphens, dashes and dots. */
const REFUSED = /[^\p{L}\p{M}\p{Join_Control} .·・'’‘‛`´′＇՚׳\u2010-\u2015\u2212-]/u;

/** A period that two letters follow, as in a domain name. Initials such as `J.R.R.` are not affected. */
const DOMAIN = /\.\p{L}\p{M}*\p{L}/u;

/** Generations and degrees after a last name, without periods. A lender finds a person without them. */
const SUFFIXES: ReadonlySet<string> = new Set(
  'jr jnr sr snr junior júnior senior filho neto ii iii iv v 2nd 3rd 4th 5th esq esquire md phd dds dvm jd'.split(' '),
);

/**
 * Returns true if a text can be a person's name. Anyone can enter a name that the service then sends by e-mail from the operator's
 * domain, so names must not contain digits, symbols, sentences or text that mail programs show as a link. A comma is allowed only before a
 * suffix.
 *
 * @example isPersonName("Sinéad O'Connor-Łukasz, Jr.") // true
 * @example isPersonName('evil.com') // false
 */
export function isPersonName(text: string): boolean {
  return /\p{L}/u.test(text) && refusedCharacterOf(text) === undefined && !DOMAIN.test(text);
}

/** Returns the first character that a name must not contain, or undefined. */
export function refusedCharacterOf(name: string): string | undefined {
  const [beforeComma = '', ...others] = name.split(',');
  const hasOnlySuffixes =
    beforeComma.trim() !== '' && others.every((part) => wordsOf(part).every(isSuffix) && part.trim() !== '');
  const accepted = hasOnlySuffixes ? name.replaceAll(',', '') : name;
  return REFUSED.exec(accepted)?.[0];
}

/**
 * Splits a full name into the first and the last name. The last name is the last word with its suffixes. A name of one word, with or without
 * suffixes, has no last name. A name of more than two words may be split elsewhere, so a person has to look at it.
 *
 * @example splitFullName('Martin King Jr.') // { firstName: 'Martin', lastName: 'King Jr.', isCertain: false }
 */
export function splitFullName(fullName: string): { firstName: string; lastName: string; isCertain: boolean } {
  const words = wordsOf(fullName);
  const isCertain = words.length <= 2;
  const lastWord = words.findLastIndex((word) => word !== ',' && !isSuffix(word));
  if (lastWord < 1) return { firstName: words.join(' '), lastName: '', isCertain };
  return { firstName: words.slice(0, lastWord).join(' '), lastName: words.slice(lastWord).join(' '), isCertain };
}

/** Returns a last name without its suffixes. A name that is itself such a word stays. */
export function withoutSuffixes(lastName: string): string {
  const words = lastName.split(/[\s,]+/).filter((word) => word !== '');
  return words.slice(0, Math.max(1, words.findLastIndex((word) => !isSuffix(word)) + 1)).join(' ');
}

function isSuffix(word: string): boolean {
  return SUFFIXES.has(word.toLowerCase().replace(/[.,]/g, ''));
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
