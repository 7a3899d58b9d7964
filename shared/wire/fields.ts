import { boolean, coerce, define, integer, max, min, optional, refine, string, Struct } from 'superstruct';
import { MAX_CENTS } from '../money.ts';
import { US_STATES } from './us-states.ts';

/** An amount in cents, zero included. */
export const Cents = max(min(integer(), 0), MAX_CENTS);

/** An amount in cents that is not nothing. */
export const PositiveCents = max(min(integer(), 1), MAX_CENTS);

/**
 * Text of at most `maxLength` characters. It may have line breaks and tabs, and no other control characters; every character is
 * whole, since no database keeps half of one.
 */
export function text(maxLength: number, minLength = 0): Struct<string, null> {
  return define<string>('text', (value) => {
    if (typeof value !== 'string') return `Expected a string, but received: ${shown(value)}`;
    if (value.length < minLength || value.length > maxLength) {
      return `Expected a string of ${minLength} to ${maxLength} characters, but received one of ${value.length}`;
    }
    if (HALF_CHARACTER.test(value)) return 'Expected text of whole characters, but received half of a surrogate pair';
    return !CONTROL.test(value) || 'Expected text without control characters, but received some';
  });
}

/** `text` without line breaks, for what machines compare: browsers rewrite the breaks they send back. */
export function line(maxLength: number, minLength = 0): Struct<string, null> {
  return refine(text(maxLength, minLength), 'line', (value) => !/[\r\n]/.test(value) || 'Expected one line, but received more');
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A surrogate without its other half. UTF-8 cannot write it, so that what is read again would be something else. */
const HALF_CHARACTER = /\p{Surrogate}/u;

const isKept = (value: string): boolean => !CONTROL.test(value) && !HALF_CHARACTER.test(value);

/**
 * A field that a client may leave out. Production clients send null, too, for what they do not have;
 * both arrive as undefined.
 */
export function absentable<T, Schema>(struct: Struct<T, Schema>): Struct<T | undefined, Schema> {
  return replacing(optional(struct), (value) => (value === null ? undefined : value));
}

/** Like `absentable`, and an empty string counts as left out. */
export function blankable(struct: Struct<string, null>): Struct<string | undefined, null> {
  return replacing(optional(struct), (value) => (value === null || value === '' ? undefined : value));
}

/** True or false; left out, or null, it is false. */
export const Flag: Struct<boolean, null> = replacing(boolean(), (value) => value ?? false);

/**
 * Replaces what came before `struct` sees it. What superstruct's own `coerce` does, without building an error, stack
 * and all, for every value that is as it should be.
 */
function replacing<T, Schema>(struct: Struct<T, Schema>, replace: (value: unknown) => unknown): Struct<T, Schema> {
  const { type, schema, entries, validator, refiner } = struct;
  const coercer: typeof struct.coercer = (value, context) => struct.coercer(replace(value), context);
  return new Struct({ type, schema, entries, validator, refiner, coercer });
}

/** An absolute http or https address. */
export const WebUrl = define<string>('url', (value) => {
  if (typeof value !== 'string') return `Expected an http or https URL, but received: ${shown(value)}`;
  if (value.length > 2_000) return `Expected a URL of at most 2000 characters, but received one of ${value.length}`;
  const isWeb = /^https?:\/\//i.test(value) && isKept(value) && URL.canParse(value);
  return isWeb || `Expected an http or https URL, but received ${shown(value)}`;
});

/** A civil date that exists, `2026-03-31`. */
export const CalendarDate = define<string>('date', (value) => {
  const exists =
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(Date.parse(value)) &&
    new Date(value).toISOString().startsWith(value);
  return exists || `Expected a date such as 2026-03-31, but received ${shown(value)}`;
});

/** A moment as RFC 3339, `2026-03-31T12:00:00Z`, from 1970 through 8999. */
export const Timestamp = define<string>('timestamp', (value) => {
  const isMoment =
    typeof value === 'string' &&
    CalendarDate.is(value.slice(0, 10)) &&
    /^[^T]{10}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(value) &&
    Date.parse(value) >= 0 &&
    Date.parse(value) < Date.UTC(9_000, 0);
  return isMoment || `Expected a moment such as 2026-03-31T12:00:00Z, but received ${shown(value)}`;
});

/** A US phone number; stored as its ten digits however it was punctuated, a leading 1 dropped. */
export const Phone = coerce(
  define<string>(
    'phone',
    (value) =>
      (typeof value === 'string' && /^\d{10}$/.test(value)) ||
      `Expected a phone number of 10 digits, but received ${shown(value)}`,
  ),
  string(),
  (value) => {
    const digits = value.replace(/[\s().+-]/g, '');
    return /^1\d{10}$/.test(digits) ? digits.slice(1) : digits;
  },
);

/** A US zip; ZIP+4 is taken and stored as its first five digits. */
export const Zip = coerce(
  define<string>(
    'zip',
    (value) => (typeof value === 'string' && /^\d{5}$/.test(value)) || `Expected a zip of 5 digits, but received ${shown(value)}`,
  ),
  string(),
  (value) => value.trim().replace(/^(\d{5})-?\d{4}$/, '$1'),
);

/** A two-letter code of a US state or DC, in any case. */
export const UsState = coerce(
  define<string>(
    'state',
    (value) =>
      (typeof value === 'string' && Object.hasOwn(US_STATES, value)) ||
      `Expected a US state or DC as 2 letters, but received ${shown(value)}`,
  ),
  string(),
  (value) => value.trim().toUpperCase(),
);

/** An e-mail address, checked for its shape only: whether it exists, only a letter to it can tell. */
export const Email = define<string>(
  'email',
  (value) =>
    (typeof value === 'string' && value.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) && isKept(value)) ||
    `Expected an e-mail address, but received ${shown(value)}`,
);

/** What came, short enough for an error message. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const json = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
  return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}
