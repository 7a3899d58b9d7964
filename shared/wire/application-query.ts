import { enums, type Infer, object } from 'superstruct';
import { defaulted, listOf, optional } from './structs.ts';
import { ApplicationStatus } from './application.ts';
import { Sha256, StatusCode, Uuid } from './fields.ts';
import { BooleanInQuery, DateOrTimestamp, integerInQuery, queryParameter, TimestampInQuery } from './query.ts';

/** Sort orders of a list of applications: by creation or by last change. */
export const ApplicationSort = enums(['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc']);
export type ApplicationSort = Infer<typeof ApplicationSort>;

/** A repeatable parameter. Koa parses a single value as a string, which is converted to an array. */
const StatusCodes = queryParameter(listOf(StatusCode, 100), (value) => (typeof value === 'string' ? [value] : value));

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
  'updatedAt.gte': optional(DateOrTimestamp),
  'updatedAt.lte': optional(DateOrTimestamp),
  'lastTimestamp.eq': optional(TimestampInQuery),
  'lastID.eq': optional(Uuid),
  sort: defaulted(ApplicationSort, 'createdAt.desc'),
  limit: defaulted(integerInQuery(1, 200), 10),
  offset: defaulted(integerInQuery(0, 999_999_999_999_999), 0),
});
export type ApplicationQuery = Infer<typeof ApplicationQuery>;

/** Query of `GET /api/application/:id`. */
export const OneApplicationQuery = object({ 'metadata.eq': optional(BooleanInQuery) });
