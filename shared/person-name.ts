/** Letters of any script with their accents and joiners, spaces, and the punctuation of names. */
const NAME = /^[\p{L}\p{M}\p{Join_Control} .·・'’‘`´‐‑-]*$/u;

/** A period that two letters follow, as in a domain name. Initials such as `J.R.R.` are not affected. */
const DOMAIN = /\.\p{L}\p{M}*\p{L}/u;

/**
 * Returns true if a text can be a person's name. Anyone can enter a name that the service then sends by e-mail from the operator's
 * domain, so names must not contain digits, symbols, sentences or text that mail programs show as a link.
 *
 * @example isPersonName("Sinéad O'Connor-Łukasz") // true
 * @example isPersonName('evil.com') // false
 */
export function isPersonName(text: string): boolean {
  return /\p{L}/u.test(text) && NAME.test(text) && !DOMAIN.test(text);
}
