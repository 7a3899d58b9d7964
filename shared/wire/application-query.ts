import { enums, type Infer, object, type Struct } from 'superstruct';
import { defaulted, listOf, optional, whole } from './bricks.ts';
import { ApplicationStatus } from './application.ts';
import { CalendarDate, replacing, Sha256, StatusCode, Timestamp, Uuid } from './fields.ts';
import { noted, noteOn } from './notes.ts';

/** How a list of applications may be sorted: by when they began, or by when they last changed. */
export const ApplicationSort = enums(['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc']);
export type ApplicationSort = Infer<typeof ApplicationSort>;

/** True or false as addresses have it. */
const InQuery = noted(enums(['true', 'false']), { is: 'value', taken: { type: 'boolean' } });

/** A number as addresses have it, written in one way only. */
const wholeInQuery = (least: number, most: number) =>
  inQuery(whole(least, most), (value) => (/^(0|[1-9]\d{0,14})$/.test(String(value)) ? Number(value) : value));

/** A parameter that may be given more than once: one alone arrives as itself. */
const StatusCodes = inQuery(listOf(StatusCode, 100), (value) => (typeof value === 'string' ? [value] : value));

/** In an address that was not encoded, the plus before an offset arrives as a space. RFC 3339, 5.6 lets T and Z be small. */
const MomentInQuery = inQuery(Timestamp, (value) =>
  typeof value === 'string' ? value.replace(/ (?=\d\d:\d\d$)/, '+').toUpperCase() : value,
);

/**
 * Query of `GET /api/application`.
 *
 * @see Interface, "Platform API": the operation listApplications.
 */
export const ApplicationQuery = object({
  'buyerID.eq': optional(Uuid),
  'merchantID.eq': optional(Uuid),
  'status.eq': optional(ApplicationStatus),
  'statusCode.eq': optional(StatusCodes),
  'statusCode.ne': optional(StatusCodes),
  'showExpired.eq': optional(InQuery),
  'normalizedAddressHash.eq': optional(Sha256),
  'metadata.eq': optional(InQuery),
  'updatedAt.gte': optional(CalendarDate),
  'updatedAt.lte': optional(CalendarDate),
  'lastTimestamp.eq': optional(MomentInQuery),
  'lastID.eq': optional(Uuid),
  sort: defaulted(ApplicationSort, 'createdAt.desc'),
  limit: defaulted(wholeInQuery(1, 200), 10),
  offset: defaulted(wholeInQuery(0, 999_999_999_999_999), 0),
});
export type ApplicationQuery = Infer<typeof ApplicationQuery>;

/** `struct`, written down as it is, of what arrives in an address. */
function inQuery<T, Schema>(struct: Struct<T, Schema>, meant: (value: unknown) => unknown): Struct<T, Schema> {
  return noted(replacing(struct, meant), noteOn(struct)!);
}
