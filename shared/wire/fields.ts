import { boolean, define, optional as orAbsent, refine, type Struct } from 'superstruct';
import type { CivilDate } from '../dates.ts';
import { MAX_CENTS } from '../money.ts';
import { parseUrl, trimUrl } from '../url.ts';
import { boundedInteger, deriveStruct } from './structs.ts';
import { type JsonSchema, annotate, annotationOf, patternOf } from './annotations.ts';

/** Amount in cents, 0 or more. */
export const Cents = roundNoise(boundedInteger(0, MAX_CENTS));

/** Amount in cents, 1 or more. */
export const PositiveCents = roundNoise(boundedInteger(1, MAX_CENTS));

/** Larger than any floating-point error of a multiplication by 100, and far smaller than a meaningful fraction of a cent. */
const FLOATING_POINT_NOISE = 1e-4;

/** Rounds floating-point noise: shops that calculate in floating point send 1998.9999999999998 for 19.99 times 100. */
function roundNoise(cents: Struct<number, null>): Struct<number, null> {
  const exact = preprocess(cents, (value) => {
    if (typeof value !== 'number' || Number.isInteger(value)) return value;
    const nearest = Math.round(value);
    // Do not round to zero: a tiny value is the error of a subtraction that should have been 0, not an amount.
    return nearest !== 0 && Math.abs(value - nearest) < FLOATING_POINT_NOISE ? nearest : value;
  });
  return annotate(exact, annotationOf(cents)!);
}

/** Limits the amount of a line item. */
export function withLineLimit<T extends { price: number; quantity: number }, Schema>(item: Struct<T, Schema>): Struct<T, Schema> {
  return refine(
    item,
    'line-amount',
    ({ price, quantity }) =>
      price * quantity <= MAX_CENTS ||
      `Expected price times quantity to be at most ${MAX_CENTS} cents, but received ${price} times ${quantity}`,
  );
}

/** Text of at most `maxLength` characters. Line breaks and tabs are the only control characters allowed. */
export function text(maxLength: number, minLength = 0): Struct<string, null> {
  const struct = define<string>('text', (value) => {
    if (typeof value !== 'string') return `Expected a string, but received: ${describeValue(value)}`;
    const length = characterCount(value, maxLength);
    if (length < minLength || length > maxLength) {
      return `Expected a string of ${minLength} to ${maxLength} characters, but received one of ${length}`;
    }
    if (LONE_SURROGATE.test(value)) return 'Expected well-formed Unicode, but received a lone surrogate';
    return TEXT.test(value) || 'Expected text without control characters, but received some';
  });
  return annotate(struct, { kind: 'value', accepted: textSchema(minLength, maxLength, TEXT) });
}

/** A lone surrogate, which cannot be encoded in UTF-8. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Single-line text, for values that are compared: browsers change the line breaks of form fields. */
export function line(maxLength: number, minLength = 0): Struct<string, null> {
  const struct = refine(
    text(maxLength, minLength),
    'line',
    (value) => LINE.test(value) || 'Expected one line, but received more',
  );
  return annotate(struct, { kind: 'value', accepted: textSchema(minLength, maxLength, LINE) });
}

// Published in the OpenAPI document: only syntax that means the same in every regular expression engine (decisions/0016).
/* oxlint-disable no-control-regex -- control characters are what they look for */
const TEXT = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$/;
const LINE = /^[^\x00-\x08\x0a-\x1f\x7f]*$/;
const WEB_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\x00-\x1f\x7f]*$/;
/* oxlint-enable no-control-regex */
const STATUS_CODE = /^[0-9]{6}$/;
const SHA256 = /^[0-9a-fA-F]{64}$/;
const STANDARD_UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;
const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const TIMESTAMP =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;
const RFC_3339 =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;

const MAX_URL = 2_000;

function textSchema(minLength: number, maxLength: number, pattern: RegExp): JsonSchema {
  return { type: 'string', ...(minLength > 0 && { minLength }), maxLength, pattern: pattern.source };
}

/**
 * Returns the length in Unicode characters, as in JSON Schema. If the number of UTF-16 units is at most `enough`, returns that
 * instead, which is never smaller.
 */
function characterCount(value: string, enough: number): number {
  return value.length <= enough ? value.length : value.length - (value.match(SURROGATE_PAIR)?.length ?? 0);
}

/** Two units, but one character. */
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** An optional field. null is parsed as undefined, because production clients send null for missing values. */
export function nullAsAbsent<T, Schema>(struct: Struct<T, Schema>): Struct<T | undefined, Schema> {
  const replaced = preprocess(orAbsent(struct), (value) => (value === null ? undefined : value));
  return annotate(replaced, { kind: 'optional', of: struct, blanks: [null] });
}

/** Like `nullAsAbsent`, and an empty string is parsed as undefined. */
export function emptyAsAbsent<T extends string, Schema>(struct: Struct<T, Schema>): Struct<T | undefined, Schema> {
  const replaced = preprocess(orAbsent(struct), (value) => (value === null || value === '' ? undefined : value));
  return annotate(replaced, { kind: 'optional', of: struct, blanks: ['', null] });
}

/** A boolean. Default, also for null: false. */
export const Flag: Struct<boolean, null> = annotate(
  preprocess(boolean(), (value) => value ?? false),
  { kind: 'defaulted', of: boolean(), blanks: [null], fallback: false },
);

/**
 * Transforms a value before `struct` validates it. Like `coerce` of superstruct, but without the cost of creating an error with
 * a stack trace for every valid value.
 */
export function preprocess<T, Schema>(struct: Struct<T, Schema>, replace: (value: unknown) => unknown): Struct<T, Schema> {
  return deriveStruct(struct, { coercer: (value, context) => struct.coercer(replace(value), context) });
}

/** An absolute http(s) URL. */
export const WebUrl = annotate(
  define<string>('url', (value) => {
    if (typeof value !== 'string') return `Expected an http or https URL, but received: ${describeValue(value)}`;
    const length = characterCount(value, MAX_URL);
    if (length > MAX_URL) return `Expected a URL of at most ${MAX_URL} characters, but received one of ${length}`;
    const isUrl = !LONE_SURROGATE.test(value) && WEB_URL.test(value) && parseUrl(value) !== undefined;
    return isUrl || `Expected an http or https URL, but received ${describeValue(value)}`;
  }),
  { kind: 'value', accepted: { type: 'string', maxLength: MAX_URL, pattern: patternOf(WEB_URL) } },
);

/**
 * URL of an item's picture or page, absolute or as the shop writes it. Required, but may be empty. Null and URLs of other schemes than
 * http and https, such as `javascript:`, are stored as an empty string: a merchant's back office may show the value as a link. White space
 * around the URL is removed.
 */
export const ItemUrl = annotate(
  preprocess(text(MAX_URL), (value) => {
    // A longer text is not trimmed, but rejected, unless it has another scheme, such as a picture in a `data:` URL.
    const trimmed = typeof value === 'string' && characterCount(value, MAX_URL) <= MAX_URL ? trimUrl(value) : value;
    return trimmed === null || hasOtherScheme(trimmed) ? '' : trimmed;
  }),
  {
    kind: 'value',
    accepted: { ...textSchema(0, MAX_URL, TEXT), type: ['string', 'null'] },
    stored: textSchema(0, MAX_URL, TEXT),
  },
);

function hasOtherScheme(value: unknown): boolean {
  // Parsing a relative URL throws an exception, which is slow.
  const url = typeof value === 'string' && value.includes(':') ? parseUrl(value) : undefined;
  return url !== undefined && !/^https?:$/.test(url.protocol);
}

/**
 * A string that `isValid` accepts.
 *
 * @param expected - The format in error messages: `a UUID`.
 * @param keywords - Of its schema.
 */
export function validString<T extends string = string>(
  name: string,
  expected: string,
  isValid: (value: string) => boolean,
  keywords: JsonSchema = {},
): Struct<T, null> {
  const struct = define<T>(
    name,
    (value) => (typeof value === 'string' && isValid(value)) || `Expected ${expected}, but received ${describeValue(value)}`,
  );
  return annotate(struct, { kind: 'value', accepted: { type: 'string', ...keywords } });
}

/** A string in the format of a pattern. */
export function formatted(name: string, expected: string, format: RegExp, keywords: JsonSchema = {}): Struct<string, null> {
  return validString(name, expected, (value) => format.test(value), { ...keywords, pattern: format.source });
}

/** A date that exists: `2026-03-31`. */
export const CalendarDate = validString<CivilDate>(
  'date',
  'a date such as 2026-03-31',
  (value) =>
    /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value),
  { format: 'date' },
);

/** A UUID of any version (RFC 9562). */
export const Uuid = formatted('uuid', 'a UUID', UUID, { format: 'uuid' });

/** A UUID with a version and variant of RFC 9562, which validators of UUIDs accept. Stored in lower case. */
export const StandardUuid = withStored(
  formatted('standard-uuid', 'a UUID of a version from 1 to 8 (RFC 9562)', STANDARD_UUID, { format: 'uuid' }),
  (value) => value.toLowerCase(),
);

/** Converts strings before they are validated. The schema stays that of `struct`, or describes what is accepted and stored. */
export function withStored<T>(
  struct: Struct<T, null>,
  convert: (value: string) => string,
  schemas?: { accepted: JsonSchema; stored: JsonSchema },
): Struct<T, null> {
  const converted = preprocess(struct, (value) => (typeof value === 'string' ? convert(value) : value));
  return annotate(converted, schemas ? { kind: 'value', ...schemas } : annotationOf(struct)!);
}

/** Six-digit code of a status and its reason. */
export const StatusCode = formatted('status-code', 'six digits', STATUS_CODE);

/** A hexadecimal SHA-256. */
export const Sha256 = formatted('sha256', 'a SHA-256 in 64 digits', SHA256);

/** An RFC 3339 timestamp from 1970 to 8999: `2026-03-31T12:00:00Z`. */
export const Timestamp = validString(
  'timestamp',
  'a timestamp such as 2026-03-31T12:00:00Z',
  (value) =>
    CalendarDate.is(value.slice(0, 10)) &&
    TIMESTAMP.test(value) &&
    Date.parse(value) >= 0 &&
    Date.parse(value) < Date.UTC(9_000, 0),
  { format: 'date-time', pattern: TIMESTAMP.source },
);

/** Any RFC 3339 timestamp, from the year 0 to 9999, also in a leap second: `2016-12-31T23:59:60Z`. */
export const Rfc3339 = validString(
  'rfc-3339',
  'a timestamp such as 2026-03-31T12:00:00Z',
  (value) => CalendarDate.is(value.slice(0, 10)) && RFC_3339.test(value) && mayHaveItsSecond(value),
  { format: 'date-time', pattern: RFC_3339.source },
);

/** Returns false for the second 60 of another minute than the last one of a month in UTC. */
function mayHaveItsSecond(timestamp: string): boolean {
  if (timestamp.slice(17, 19) !== '60') return true;
  const after = new Date(Date.parse(`${timestamp.slice(0, 17)}59${/(?:Z|[+-]\d\d:\d\d)$/.exec(timestamp)![0]}`) + 1_000);
  return after.getUTCDate() === 1 && after.getUTCHours() === 0 && after.getUTCMinutes() === 0;
}

/** Describes a received value, shortened for error messages. */
export function describeValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const json = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
  return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}
