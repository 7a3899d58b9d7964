/**
 * What people type, as it is kept and shown: letters of every script with their accents, and nothing that cannot be seen.
 *
 * @see decisions/0022-form-input.md
 */

/**
 * What has no look of its own, such as the marks that turn the direction of what follows, or spaces of no width. Joiners and
 * variation selectors change how the letters beside them look, and stay.
 */
const INVISIBLE = /(?!\p{Variation_Selector}|\u200c|\u200d)\p{Default_Ignorable_Code_Point}/gu;

/** Control characters, halves of characters, and what Unicode says will never be one: no keyboard types them. */
const UNTYPABLE = /[\p{Cc}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

/** From 13 to 19 digits, as cards bear them. */
const CARD_DIGITS = /(?<!\d)\d(?:[ .-]?\d){12,18}(?![ .-]?\d)/g;

/**
 * More than any field takes, with room for what is left out. To sort the accents of a letter takes a time that grows with the square
 * of how many it has: no more is read of a text.
 */
const MOST_READ = 4_000;

/** Whether there is more of it than is read. */
export function isOverlong(text: string): boolean {
  return text.length > MOST_READ;
}

/** The text as it is read: composed, white space of every kind as single spaces, nothing invisible. What is untypable is left in it. */
export function tidied(text: string): string {
  return text.slice(0, MOST_READ).normalize('NFC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

/** Whether it holds what no keyboard types. */
export function isUntypable(text: string): boolean {
  return text.search(UNTYPABLE) >= 0;
}

/** Whether it holds the number of a payment card. Those are entered with the card's own gateway, and nowhere else. */
export function holdsCardNumber(text: string): boolean {
  return (text.match(CARD_DIGITS) ?? []).some((number) => passesLuhn(number.replace(/\D/g, '')));
}

/** What a form shows of it when it comes back to be mended. */
export function shownAgain(text: string): string {
  if (holdsCardNumber(text)) return '';
  const typable = tidied(tidied(text).replace(UNTYPABLE, ''));
  // A cut may leave half of a character.
  return typable.slice(0, MOST_SHOWN).replace(/[\ud800-\udbff]$/, '');
}

/** Every field takes less. */
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
