/**
 * Normalization of typed text: letters of every script with their accents, and nothing invisible.
 *
 * @see decisions/0022-form-input.md
 */

/**
 * Invisible characters, such as direction marks and zero-width spaces. Joiners and variation selectors change how adjacent letters look,
 * and are not removed.
 */
const INVISIBLE = /(?!\p{Variation_Selector}|\u200c|\u200d)\p{Default_Ignorable_Code_Point}/gu;

/** Control characters, lone surrogates and noncharacters, which no keyboard types. */
const UNTYPABLE = /[\p{Cc}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

/** 13 to 19 digits with separators, as on cards. */
const CARD_DIGITS = /(?<!\d)\d(?:[ .-]?\d){12,18}(?![ .-]?\d)/g;

/**
 * Longer than any field, including removed characters. Limits the time of Unicode normalization, which is quadratic in the accents of a
 * letter.
 */
const MOST_READ = 4_000;

/** Returns true if a text is longer than what is read. */
export function isOverlong(text: string): boolean {
  return text.length > MOST_READ;
}

/** Returns the normalized text: composed, with single spaces, without invisible characters. Untypable characters remain. */
export function tidied(text: string): string {
  return text.slice(0, MOST_READ).normalize('NFC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

/** Returns true if a text contains characters that no keyboard types. */
export function isUntypable(text: string): boolean {
  return text.search(UNTYPABLE) >= 0;
}

/** Returns true if a text contains a card number. Cards are entered on the gateway's page only. */
export function holdsCardNumber(text: string): boolean {
  return (text.match(CARD_DIGITS) ?? []).some((number) => passesLuhn(number.replace(/\D/g, '')));
}

/** Returns what a form shows of a typed text when it is shown again. */
export function shownAgain(text: string): string {
  if (holdsCardNumber(text)) return '';
  const typable = tidied(tidied(text).replace(UNTYPABLE, ''));
  // The cut may leave a lone surrogate.
  return typable.slice(0, MOST_SHOWN).replace(/[\ud800-\udbff]$/, '');
}

/** Longer than any field. */
const MOST_SHOWN = 500;

/** The check digit of card numbers: ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const worth = Number(digits.at(-1 - place)) * (place % 2 === 0 ? 1 : 2);
    sum += worth > 9 ? worth - 9 : worth;
  }
  return sum % 10 === 0;
}
