/** Contact fields of a person. */
import { refine } from 'superstruct';
import { plainPunctuation } from '../plain-punctuation.ts';
import { formatted, validString, withStored } from './fields.ts';
import { POSTAL_STATES } from './us-states.ts';

const MAX_EMAIL = 254;
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
/**
 * `Mailbox` of RFC 5321 without quoted names and address literals, which is the format `email` of JSON Schema. Labels of the domain have at
 * most 63 characters: RFC 1035, section 2.3.4.
 */
const EMAIL = new RegExp(
  `^${ATOM}(\\.${ATOM})*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`,
);

/** Blanks and hyphens as `plainPunctuation` reads them, in the syntax of published patterns. */
const BLANKS = String.raw`\s\u00a0`;
const HYPHENS = String.raw`\u2010-\u2015\u2212-`;
const SEPARATORS = `[${BLANKS}().${HYPHENS}]*`;

/** Returns the ten digits of a US phone number in any punctuation; undefined for another text, such as a number of another country. */
export function phoneDigitsOf(text: string): string | undefined {
  return /^(?:\+?1)?(\d{10})$/.exec(plainPunctuation(text).replace(/[\s().-]/g, ''))?.[1];
}

/** A US phone number in any punctuation. Stored as ten digits, without `+1` or a leading 1. */
export const Phone = withStored(
  formatted('phone', 'a phone number of 10 digits', /^\d{10}$/),
  (value) => phoneDigitsOf(value) ?? value,
  {
    accepted: {
      type: 'string',
      pattern: `^${SEPARATORS}(\\+${SEPARATORS}1${SEPARATORS}|1${SEPARATORS})?([0-9]${SEPARATORS}){10}$`,
    },
    stored: { type: 'string', pattern: '^[0-9]{10}$' },
  },
);

/**
 * A phone number that a person types. Its area code does not begin with 0 or 1, as in the North American Numbering Plan. Carts accept any
 * ten digits, and the page then asks. The exchange has no rule: fictional numbers such as 555-010-0100 begin it with 0.
 */
export const TypedPhone = refine(Phone, 'area-code', (digits) => !/^[01]/.test(digits));

/** A US ZIP code. ZIP+4 is accepted and stored as its first five digits. */
export const Zip = withStored(
  formatted('zip', 'a zip of 5 digits', /^\d{5}$/),
  (value) => /^\s*(\d{5})(?:-?\d{4})?\s*$/.exec(plainPunctuation(value))?.[1] ?? value,
  {
    accepted: { type: 'string', pattern: `^[${BLANKS}]*[0-9]{5}([${HYPHENS}]?[0-9]{4})?[${BLANKS}]*$` },
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

/** A single email address in ASCII; an internationalized domain is written in Punycode. Only the syntax is checked. White space around it is removed. */
export const Email = withStored(
  validString('email', 'an email address in ASCII', (value) => value.length <= MAX_EMAIL && EMAIL.test(value)),
  (value) => (value.length <= MAX_EMAIL ? value.trim() : value),
  {
    accepted: { type: 'string', maxLength: MAX_EMAIL, pattern: String.raw`^\s*${EMAIL.source.slice(1, -1)}\s*$` },
    stored: { type: 'string', format: 'email', maxLength: MAX_EMAIL, pattern: EMAIL.source },
  },
);

/** Returns `[Cc][Aa]` for `CA`, because JSON Schema patterns have no flags. */
function inAnyCase(letters: string): string {
  return letters.replace(/./g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}
