import { enums, type Infer, object, type Struct } from 'superstruct';
import { defaulted, listOf, optional, boundedInteger } from './structs.ts';
import { ApplicationStatus } from './application.ts';
import { CalendarDate, preprocess, Sha256, StatusCode, Timestamp, Uuid } from './fields.ts';
import { annotate, annotationOf } from './annotations.ts';

/** Sort orders of a list of applications: by creation or by last change. */
export const ApplicationSort = enums(['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc']);
export type ApplicationSort = Infer<typeof ApplicationSort>;

/** A boolean in a query string. */
const BooleanInQuery = annotate(enums(['true', 'false']), { kind: 'value', accepted: { type: 'boolean' } });

/** An integer in a query string, in canonical decimal form. */
export const integerInQuery = (min: number, max: number) =>
  queryParameter(boundedInteger(min, max), (value) => (/^(0|[1-9]\d{0,14})$/.test(String(value)) ? Number(value) : value));

/** A repeatable parameter. Koa parses a single value as a string, which is converted to an array. */
const StatusCodes = queryParameter(listOf(StatusCode, 100), (value) => (typeof value === 'string' ? [value] : value));

/**
 * A timestamp. Restores the `+` of a UTC offset, which an unencoded query turns into a space. RFC 3339, 5.6 allows lower-case T
 * and Z.
 */
const TimestampInQuery = queryParameter(Timestamp, (value) =>
  typeof value === 'string' ? value.replace(/ (?=\d\d:\d\d$)/, '+').toUpperCase() : value,
);

/**
 * Query of `GET /api/application`.
 *
 * @see server/docs/platform-api.md.
 */
export const ApplicationQuery = object({
  'buyerID.eq': optional(Uuid),
  'merchantID.eq': optional(Uuid),
  'status.eq': optional(ApplicationStatus),
  'statusCode.eq': optional(StatusCodes),
  'statusCode.ne': optional(StatusCodes),
  'showExpired.eq': optional(BooleanInQuery),
  'normalizedAddressHash.eq': optional(Sha256),
  'metadata.eq': optional(BooleanInQuery),
  'updatedAt.gte': optional(CalendarDate),
  'updatedAt.lte': optional(CalendarDate),
  'lastTimestamp.eq': optional(TimestampInQuery),
  'lastID.eq': optional(Uuid),
  sort: defaulted(ApplicationSort, 'createdAt.desc'),
  limit: defaulted(integerInQuery(1, 200), 10),
  offset: defaulted(integerInQuery(0, 999_999_999_999_999), 0),
});
export type ApplicationQuery = Infer<typeof ApplicationQuery>;

/** Preprocesses a query parameter and keeps the annotation of `struct`. */
function queryParameter<T, Schema>(struct: Struct<T, Schema>, parse: (value: unknown) => unknown): Struct<T, Schema> {
  return annotate(preprocess(struct, parse), annotationOf(struct)!);
}
