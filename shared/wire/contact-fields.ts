/** Contact fields of a person. */
import { define } from 'superstruct';
import { describeValue, formatted, withStored } from './fields.ts';
import { annotate } from './annotations.ts';
import { POSTAL_STATES } from './us-states.ts';

const MAX_EMAIL = 254;
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
/** `Mailbox` of RFC 5321 without quoted names and address literals, which is the format `email` of JSON Schema. */
const EMAIL = new RegExp(`^${ATOM}(\\.${ATOM})*@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$`);

/** A US phone number in any punctuation. Stored as ten digits, without a leading 1. */
export const Phone = withStored(
  formatted('phone', 'a phone number of 10 digits', /^\d{10}$/),
  (value) => {
    const digits = value.replace(/[\s().+-]/g, '').replace(/^1(?=\d{10}$)/, '');
    return /^\d{10}$/.test(digits) ? digits : value;
  },
  {
    accepted: { type: 'string', pattern: String.raw`^[\s().+-]*(1[\s().+-]*)?([0-9][\s().+-]*){10}$` },
    stored: { type: 'string', pattern: '^[0-9]{10}$' },
  },
);

/** A US ZIP code. ZIP+4 is accepted and stored as its first five digits. */
export const Zip = withStored(
  formatted('zip', 'a zip of 5 digits', /^\d{5}$/),
  (value) => value.replace(/^\s*(\d{5})(-?\d{4})?\s*$/, '$1'),
  {
    accepted: { type: 'string', pattern: String.raw`^\s*[0-9]{5}(-?[0-9]{4})?\s*$` },
    stored: { type: 'string', pattern: '^[0-9]{5}$' },
  },
);

const STATES = Object.keys(POSTAL_STATES);

/** Two-letter code of a US state, DC or a military address (AA, AE, AP), case-insensitive. */
export const UsState = withStored(
  formatted('state', 'a US state or DC as 2 letters', new RegExp(`^(${STATES.join('|')})$`)),
  // Only ASCII letters are upper-cased: some letters of other alphabets have an ASCII upper case.
  (value) => (/^\s*[a-z]{2}\s*$/i.test(value) ? value.trim().toUpperCase() : value),
  {
    accepted: { type: 'string', pattern: String.raw`^\s*(${STATES.map(inAnyCase).join('|')})\s*$` },
    stored: { type: 'string', enum: STATES },
  },
);

/** A single email address in ASCII; an internationalized domain is written in Punycode. Only the syntax is checked. */
export const Email = annotate(
  define<string>(
    'email',
    (value) =>
      (typeof value === 'string' && value.length <= MAX_EMAIL && EMAIL.test(value)) ||
      `Expected an email address in ASCII, but received ${describeValue(value)}`,
  ),
  { kind: 'value', accepted: { type: 'string', format: 'email', maxLength: MAX_EMAIL, pattern: EMAIL.source } },
);

/** Returns `[Cc][Aa]` for `CA`, because JSON Schema patterns have no flags. */
function inAnyCase(letters: string): string {
  return letters.replace(/./g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}
