/** What tells of a person where and how they are reached. */
import { coerce, define, string } from 'superstruct';
import { lengthOf, shown } from './fields.ts';
import { noted } from './notes.ts';
import { US_STATES } from './us-states.ts';

const MAX_EMAIL = 254;
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}]+@([^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}.]+\.)+[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}.]*[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}.\d][^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}.]*$/u;

/** A US phone number; stored as its ten digits however it was punctuated, a leading 1 dropped. */
export const Phone = noted(
  coerce(
    define<string>(
      'phone',
      (value) =>
        (typeof value === 'string' && /^\d{10}$/.test(value)) ||
        `Expected a phone number of 10 digits, but received ${shown(value)}`,
    ),
    string(),
    (value) => {
      const digits = value.replace(/[\s().+-]/g, '').replace(/^1(?=\d{10}$)/, '');
      return /^\d{10}$/.test(digits) ? digits : value;
    },
  ),
  {
    is: 'value',
    taken: { type: 'string', pattern: String.raw`^[\s().+\-]*(1[\s().+\-]*)?(\d[\s().+\-]*){10}$` },
    kept: { type: 'string', pattern: String.raw`^\d{10}$` },
  },
);

/** A US zip; ZIP+4 is taken and stored as its first five digits. */
export const Zip = noted(
  coerce(
    define<string>(
      'zip',
      (value) =>
        (typeof value === 'string' && /^\d{5}$/.test(value)) || `Expected a zip of 5 digits, but received ${shown(value)}`,
    ),
    string(),
    (value) => value.replace(/^\s*(\d{5})(-?\d{4})?\s*$/, '$1'),
  ),
  {
    is: 'value',
    taken: { type: 'string', pattern: String.raw`^\s*\d{5}(-?\d{4})?\s*$` },
    kept: { type: 'string', pattern: String.raw`^\d{5}$` },
  },
);

/** A two-letter code of a US state or DC, in any case. */
export const UsState = noted(
  coerce(
    define<string>(
      'state',
      (value) =>
        (typeof value === 'string' && Object.hasOwn(US_STATES, value)) ||
        `Expected a US state or DC as 2 letters, but received ${shown(value)}`,
    ),
    string(),
    // Letters of other alphabets have capitals among ours.
    (value) => (/^\s*[a-z]{2}\s*$/i.test(value) ? value.trim().toUpperCase() : value),
  ),
  {
    is: 'value',
    taken: { type: 'string', pattern: String.raw`^\s*(${Object.keys(US_STATES).map(inAnyCase).join('|')})\s*$` },
    kept: { enum: Object.keys(US_STATES) },
  },
);

/**
 * An e-mail address alone, without the characters that part and surround addresses or turn their letters round. Checked for its shape only: whether it exists,
 * only a letter to it can tell.
 */
export const Email = noted(
  define<string>(
    'email',
    (value) =>
      (typeof value === 'string' && lengthOf(value, MAX_EMAIL) <= MAX_EMAIL && EMAIL.test(value)) ||
      `Expected an e-mail address, but received ${shown(value)}`,
  ),
  { is: 'value', taken: { type: 'string', maxLength: MAX_EMAIL, pattern: EMAIL.source } },
);

/** `[Cc][Aa]`: patterns of JSON Schema have no flags. */
function inAnyCase(letters: string): string {
  return letters.replace(/./g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}
