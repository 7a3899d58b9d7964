/** Contact fields of a person. */
import { coerce, define, string } from 'superstruct';
import { characterCount, describeValue } from './fields.ts';
import { annotate } from './annotations.ts';
import { US_STATES } from './us-states.ts';

const MAX_EMAIL = 254;
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}]+@([^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}.]+\.)+[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}.]*[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}.\d][^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}.]*$/u;

/** A US phone number in any punctuation. Stored as ten digits, without a leading 1. */
export const Phone = annotate(
  coerce(
    define<string>(
      'phone',
      (value) =>
        (typeof value === 'string' && /^\d{10}$/.test(value)) ||
        `Expected a phone number of 10 digits, but received ${describeValue(value)}`,
    ),
    string(),
    (value) => {
      const digits = value.replace(/[\s().+-]/g, '').replace(/^1(?=\d{10}$)/, '');
      return /^\d{10}$/.test(digits) ? digits : value;
    },
  ),
  {
    kind: 'value',
    accepted: { type: 'string', pattern: String.raw`^[\s().+\-]*(1[\s().+\-]*)?(\d[\s().+\-]*){10}$` },
    stored: { type: 'string', pattern: String.raw`^\d{10}$` },
  },
);

/** A US ZIP code. ZIP+4 is accepted and stored as its first five digits. */
export const Zip = annotate(
  coerce(
    define<string>(
      'zip',
      (value) =>
        (typeof value === 'string' && /^\d{5}$/.test(value)) ||
        `Expected a zip of 5 digits, but received ${describeValue(value)}`,
    ),
    string(),
    (value) => value.replace(/^\s*(\d{5})(-?\d{4})?\s*$/, '$1'),
  ),
  {
    kind: 'value',
    accepted: { type: 'string', pattern: String.raw`^\s*\d{5}(-?\d{4})?\s*$` },
    stored: { type: 'string', pattern: String.raw`^\d{5}$` },
  },
);

/** Two-letter code of a US state or DC, case-insensitive. */
export const UsState = annotate(
  coerce(
    define<string>(
      'state',
      (value) =>
        (typeof value === 'string' && Object.hasOwn(US_STATES, value)) ||
        `Expected a US state or DC as 2 letters, but received ${describeValue(value)}`,
    ),
    string(),
    // Only ASCII letters are upper-cased: some letters of other alphabets have an ASCII upper case.
    (value) => (/^\s*[a-z]{2}\s*$/i.test(value) ? value.trim().toUpperCase() : value),
  ),
  {
    kind: 'value',
    accepted: { type: 'string', pattern: String.raw`^\s*(${Object.keys(US_STATES).map(inAnyCase).join('|')})\s*$` },
    stored: { enum: Object.keys(US_STATES) },
  },
);

/**
 * A single email address, without separators, delimiters or control characters such as bidirectional overrides. Only the syntax
 * is checked.
 */
export const Email = annotate(
  define<string>(
    'email',
    (value) =>
      (typeof value === 'string' && characterCount(value, MAX_EMAIL) <= MAX_EMAIL && EMAIL.test(value)) ||
      `Expected an email address, but received ${describeValue(value)}`,
  ),
  { kind: 'value', accepted: { type: 'string', maxLength: MAX_EMAIL, pattern: EMAIL.source } },
);

/** Returns `[Cc][Aa]` for `CA`, because JSON Schema patterns have no flags. */
function inAnyCase(letters: string): string {
  return letters.replace(/./g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}
