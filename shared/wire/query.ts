/** Structs of query parameters. */
import { enums, type Struct } from 'superstruct';
import { annotate, annotationOf } from './annotations.ts';
import { Email } from './contact-fields.ts';
import { CalendarDate, preprocess, Rfc3339, Uuid, validString } from './fields.ts';
import { boundedInteger, defaulted, optional } from './structs.ts';

export const BooleanInQuery = annotate(enums(['true', 'false']), { kind: 'value', accepted: { type: 'boolean' } });

/** An integer in canonical decimal form. */
export const integerInQuery = (min: number, max: number): Struct<number, null> =>
  queryParameter(boundedInteger(min, max), (value) => (/^(0|[1-9]\d{0,14})$/.test(String(value)) ? Number(value) : value));

/**
 * A timestamp. Restores the `+` of a UTC offset, which an unencoded query turns into a space. RFC 3339, 5.6 allows lower-case T
 * and Z.
 */
export const TimestampInQuery = queryParameter(Rfc3339, restored);

/** A date, which is a day in UTC, or a timestamp. */
export const DateOrTimestamp = queryParameter(
  annotate(
    validString(
      'date-or-timestamp',
      'a date or a timestamp such as 2026-03-31T12:00:00Z',
      (value) => CalendarDate.is(value) || Rfc3339.is(value),
    ),
    { kind: 'any', of: [CalendarDate, Rfc3339] },
  ),
  restored,
);

function restored(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/ (?=\d\d:\d\d$)/, '+').toUpperCase() : value;
}

/** Preprocesses a query parameter and keeps the annotation of `struct`. */
export function queryParameter<T, Schema>(struct: Struct<T, Schema>, parse: (value: unknown) => unknown): Struct<T, Schema> {
  return annotate(preprocess(struct, parse), annotationOf(struct)!);
}

/** Query parameters of lists of the merchant API: the buyer's e-mail address, and the id of the last item of the previous page. */
export const listQuery = {
  'createdAt[gte]': optional(DateOrTimestamp),
  'createdAt[lt]': optional(DateOrTimestamp),
  email: optional(Email),
  limit: defaulted(integerInQuery(1, 200), 10),
  after: optional(Uuid),
};
