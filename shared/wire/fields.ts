import { boolean, define, optional as orAbsent, refine, Struct } from 'superstruct';
import { MAX_CENTS } from '../money.ts';
import { ANY_PAGE, parsedLink, parsedUrl } from '../url.ts';
import { whole } from './bricks.ts';
import { type JsonSchema, noted, noteOn } from './notes.ts';

/** An amount in cents, zero included. */
export const Cents = exactly(whole(0, MAX_CENTS));

/** An amount in cents that is not nothing. */
export const PositiveCents = exactly(whole(1, MAX_CENTS));

/** More than multiplying by 100 ever misses a cent by, and far less than a sum of money could mean. */
const FLOATING_POINT_NOISE = 1e-4;

/** Shops that reckon in floating point send 1998.9999999999998 for 19.99 times 100; they mean 1999. */
function exactly(cents: Struct<number, null>): Struct<number, null> {
  const exact = replacing(cents, (value) => {
    if (typeof value !== 'number' || Number.isInteger(value)) return value;
    const nearest = Math.round(value);
    // What is left of a difference that should have been nothing is nobody's amount.
    return nearest !== 0 && Math.abs(value - nearest) < FLOATING_POINT_NOISE ? nearest : value;
  });
  return noted(exact, noteOn(cents)!);
}

/** Text of at most `maxLength` characters. It may have line breaks and tabs, and no other control characters. */
export function text(maxLength: number, minLength = 0): Struct<string, null> {
  const struct = define<string>('text', (value) => {
    if (typeof value !== 'string') return `Expected a string, but received: ${shown(value)}`;
    const length = lengthOf(value, maxLength);
    if (length < minLength || length > maxLength) {
      return `Expected a string of ${minLength} to ${maxLength} characters, but received one of ${length}`;
    }
    if (LONE_SURROGATE.test(value)) return 'Expected whole characters, but received half of one';
    return TEXT.test(value) || 'Expected text without control characters, but received some';
  });
  return noted(struct, { is: 'value', taken: textSchema(minLength, maxLength, TEXT) });
}

/** Required text of at most `maxLength` characters for which clients may also send null; null is stored as an empty string. */
export function textOrNull(maxLength: number): Struct<string, null> {
  const struct = text(maxLength);
  const schema = textSchema(0, maxLength, TEXT);
  return noted(
    replacing(struct, (value) => (value === null ? '' : value)),
    { is: 'value', taken: { ...schema, type: ['string', 'null'] }, kept: schema },
  );
}

/** Half of a character, which no text in UTF-8 can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** `text` without line breaks, for what machines compare: browsers rewrite the breaks they send back. */
export function line(maxLength: number, minLength = 0): Struct<string, null> {
  const struct = refine(
    text(maxLength, minLength),
    'line',
    (value) => LINE.test(value) || 'Expected one line, but received more',
  );
  return noted(struct, { is: 'value', taken: textSchema(minLength, maxLength, LINE) });
}

/* oxlint-disable no-control-regex -- control characters are what they look for */
const TEXT = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]*$/u;
const LINE = /^[^\u0000-\u0008\u000a-\u001f\u007f\p{Cs}]*$/u;
const WEB_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]*$/u;
/* oxlint-enable no-control-regex */
const STATUS_CODE = /^[0-9]{6}$/;
const SHA256 = /^[0-9a-fA-F]{64}$/;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

const MAX_URL = 2_000;

function textSchema(minLength: number, maxLength: number, pattern: RegExp): JsonSchema {
  return { type: 'string', ...(minLength > 0 && { minLength }), maxLength, pattern: pattern.source };
}

/** In characters, as JSON Schema counts them; a string has two units for some. */
export function lengthOf(value: string, enough: number): number {
  return value.length <= enough ? value.length : Array.from(value).length;
}

/**
 * A field that a client may leave out. Production clients send null, too, for what they do not have;
 * both arrive as undefined.
 */
export function absentable<T, Schema>(struct: Struct<T, Schema>): Struct<T | undefined, Schema> {
  const replaced = replacing(orAbsent(struct), (value) => (value === null ? undefined : value));
  return noted(replaced, { is: 'absentable', of: struct, blanks: [null] });
}

/** Like `absentable`, and an empty string counts as left out. */
export function blankable(struct: Struct<string, null>): Struct<string | undefined, null> {
  const replaced = replacing(orAbsent(struct), (value) => (value === null || value === '' ? undefined : value));
  return noted(replaced, { is: 'absentable', of: struct, blanks: ['', null] });
}

/** True or false; left out, or null, it is false. */
export const Flag: Struct<boolean, null> = noted(
  replacing(boolean(), (value) => value ?? false),
  { is: 'defaulted', of: boolean(), blanks: [null], fallback: false },
);

/**
 * Replaces what came before `struct` sees it. What superstruct's own `coerce` does, without building an error, stack
 * and all, for every value that is as it should be.
 */
export function replacing<T, Schema>(struct: Struct<T, Schema>, replace: (value: unknown) => unknown): Struct<T, Schema> {
  const { type, schema, entries, validator, refiner } = struct;
  const coercer: typeof struct.coercer = (value, context) => struct.coercer(replace(value), context);
  return new Struct({ type, schema, entries, validator, refiner, coercer });
}

/** An absolute http or https address. */
export const WebUrl = noted(
  addressOf('an http or https URL', (value) => WEB_URL.test(value) && parsedUrl(value) !== undefined),
  { is: 'value', taken: { type: 'string', maxLength: MAX_URL, pattern: WEB_URL.source } },
);

/** An http or https address, absolute or relative to the page that links to it. */
export const WebLink = noted(
  addressOf(
    'an http or https URL, or one relative to the page',
    (value) => LINE.test(value) && parsedLink(value, ANY_PAGE) !== undefined,
  ),
  { is: 'value', taken: { type: 'string', maxLength: MAX_URL, pattern: LINE.source } },
);

function addressOf(expected: string, isAddress: (value: string) => boolean): Struct<string, null> {
  return define<string>('url', (value) => {
    if (typeof value !== 'string') return `Expected ${expected}, but received: ${shown(value)}`;
    const length = lengthOf(value, MAX_URL);
    if (length > MAX_URL) return `Expected a URL of at most ${MAX_URL} characters, but received one of ${length}`;
    return isAddress(value) || `Expected ${expected}, but received ${shown(value)}`;
  });
}

/** A civil date that exists, `2026-03-31`. */
export const CalendarDate = noted(
  define<string>('date', (value) => {
    const exists =
      typeof value === 'string' &&
      /^\d{4}-\d{2}-\d{2}$/.test(value) &&
      !Number.isNaN(Date.parse(value)) &&
      new Date(value).toISOString().startsWith(value);
    return exists || `Expected a date such as 2026-03-31, but received ${shown(value)}`;
  }),
  { is: 'value', taken: { type: 'string', format: 'date' } },
);

/** A UUID of any version, RFC 9562. */
export const Uuid = noted(
  define<string>(
    'uuid',
    (value) => (typeof value === 'string' && UUID.test(value)) || `Expected a UUID, but received ${shown(value)}`,
  ),
  { is: 'value', taken: { type: 'string', format: 'uuid', pattern: UUID.source } },
);

/** A UUID that is not nil, in small letters however it came. */
export const OwnUuid = noted(
  replacing(
    define<string>(
      'own-uuid',
      (value) =>
        (typeof value === 'string' && UUID.test(value) && value !== NIL_UUID) ||
        `Expected a UUID that is not nil, but received ${shown(value)}`,
    ),
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
  ),
  { is: 'value', taken: { type: 'string', format: 'uuid', pattern: UUID.source, not: { const: NIL_UUID } } },
);

/** What a status and its reason are known by: six digits. */
export const StatusCode = noted(
  define<string>(
    'status-code',
    (value) => (typeof value === 'string' && STATUS_CODE.test(value)) || `Expected six digits, but received ${shown(value)}`,
  ),
  { is: 'value', taken: { type: 'string', pattern: STATUS_CODE.source } },
);

/** A SHA-256, hexadecimal. */
export const Sha256 = noted(
  define<string>(
    'sha256',
    (value) =>
      (typeof value === 'string' && SHA256.test(value)) || `Expected a SHA-256 in 64 digits, but received ${shown(value)}`,
  ),
  { is: 'value', taken: { type: 'string', pattern: SHA256.source } },
);

/** A moment as RFC 3339, `2026-03-31T12:00:00Z`, from 1970 through 8999. */
export const Timestamp = noted(
  define<string>('timestamp', (value) => {
    const isMoment =
      typeof value === 'string' &&
      CalendarDate.is(value.slice(0, 10)) &&
      MOMENT.test(value) &&
      Date.parse(value) >= 0 &&
      Date.parse(value) < Date.UTC(9_000, 0);
    return isMoment || `Expected a moment such as 2026-03-31T12:00:00Z, but received ${shown(value)}`;
  }),
  { is: 'value', taken: { type: 'string', format: 'date-time', pattern: MOMENT.source } },
);

/** What came, short enough for an error message. */
export function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const json = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
  return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}
