/** Crockford's base 32: no letter is confused with a digit or another letter. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Hexadecimal digits of an id that its reference contains: the last 40 of its random bits. */
const HEX_DIGITS = 10;

/** Returns the short reference of an application for people, such as `F7K2-9QXM`. It is the end of its id, so that it needs no column. */
export function referenceOf(applicationId: string): string {
  const digits = Number.parseInt(applicationId.slice(-HEX_DIGITS), 16).toString(32).padStart(8, '0');
  const text = Array.from(digits, (digit) => ALPHABET[Number.parseInt(digit, 32)]).join('');
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/**
 * Returns the end of the ids with a reference, as it is typed: in any case, with or without the hyphen, and with I, L and O for 1 and 0.
 * Undefined if the text is not a reference.
 */
export function idEndOf(reference: string): string | undefined {
  const typed = reference.toUpperCase().replace(/[-\s]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0');
  const digits = Array.from(typed, (character) => ALPHABET.indexOf(character));
  if (digits.length !== 8 || digits.includes(-1)) return undefined;
  const value = digits.reduce((sum, digit) => sum * 32 + digit, 0);
  return value.toString(16).padStart(HEX_DIGITS, '0');
}
