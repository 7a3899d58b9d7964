import { create, StructError, type Struct } from 'superstruct';
import { keysOf } from '../../shared/objects.ts';
import { CalendarDate, describeValue } from '../../shared/wire/fields.ts';
import { ServiceError } from '../base/errors.ts';
import { type Instant, microsecondsOf, startOfUtcDay } from '../base/time.ts';
import type { NewestFirst, Position } from '../db/newest-first.ts';
import type { Context } from './context.ts';

/** Query parameters by name, as Koa parses them. Repeated parameters are arrays. */
export type ReceivedQuery = Readonly<Record<string, unknown>>;

/** The query of an operation. */
export interface QueryRules<T> {
  struct: Struct<T>;
  /** Expected value of each parameter, as error messages describe it. */
  expected: Readonly<Record<keyof T & string, string>>;
  /** Parameters that a query may repeat. Default: none. */
  repeated?: ReadonlySet<string>;
  /** Returns the error of the first invalid parameter. Default: `invalid-request` of the merchant API. */
  invalid?: typeof invalidFilter;
}

/**
 * Validates the parameters of a query. Unknown and repeated ones are rejected, because an ignored filter returns more than was requested
 * (decisions/0028).
 *
 * @throws ServiceError - names the first invalid parameter, the expected value and the received one.
 */
export function parseQuery<T extends object>(
  query: ReceivedQuery,
  { struct, expected, repeated = new Set(), invalid = invalidFilter }: QueryRules<T>,
): T {
  for (const [name, value] of Object.entries(query)) {
    if (!Object.hasOwn(expected, name)) {
      throw invalid(printable(name), `one of ${Object.keys(expected).join(', ')}`, 'an unknown name');
    }
    if (Array.isArray(value) && !repeated.has(name)) throw invalid(name, 'one value', `${value.length} values`);
  }
  try {
    return create(query, struct);
  } catch (thrown) {
    if (!(thrown instanceof StructError)) throw thrown;
    const [path, index] = thrown.path;
    const name = keysOf(expected).find((known) => known === path)!;
    // The value as received, not as coerced.
    const values = [query[name]].flat();
    const received = index === undefined && values.length > 1 ? `${values.length} values` : describeValue(values[index ?? 0]);
    throw invalid(name, expected[name], received, thrown);
  }
}

/** Describes the expected value of a parameter with these values. */
export function choicesOf({ schema }: { schema: Readonly<Record<string, string>> }): string {
  return `one of ${Object.values(schema).join(', ')}`;
}

/** Returns the error of an invalid parameter in the merchant API. */
export function invalidFilter(parameter: string, expected: string, received: string, cause?: unknown): ServiceError {
  const message = `At path: ${parameter} -- Expected ${expected}, but received ${received}`;
  return new ServiceError('invalid-request', message, { cause });
}

/** Returns an unknown parameter name, shortened and reduced to printable ASCII so that it is safe in terminals and logs. */
function printable(name: string): string {
  const safe = name.replaceAll(/[^\x21-\x7e]/g, '?');
  if (safe === '') return '(no name)';
  return safe.length > 60 ? `${safe.slice(0, 57)}...` : safe;
}

/** Returns the first instant of a date in UTC, or the instant of a timestamp. */
export function instantIn(dateOrTimestamp: string): Instant {
  return CalendarDate.is(dateOrTimestamp) ? startOfUtcDay(dateOrTimestamp) : microsecondsOf(dateOrTimestamp);
}

/** The parameters of every list of the merchant API. */
interface ListParameters {
  'createdAt[gte]'?: string | undefined;
  'createdAt[lt]'?: string | undefined;
  limit: number;
  after?: string | undefined;
}

/** The expected value of a parameter that is a date or a timestamp. */
export const DATE_OR_TIMESTAMP = 'a date such as 2026-03-31, or a timestamp such as 2026-03-31T12:00:00Z';

/** Expected values of these parameters, as error messages describe them. */
export const expectedInLists = {
  'createdAt[gte]': DATE_OR_TIMESTAMP,
  'createdAt[lt]': DATE_OR_TIMESTAMP,
  email: 'an e-mail address',
  limit: 'a whole number from 1 to 200',
  after: 'the id of the last item of the previous page',
} as const;

/**
 * Returns the page that parameters describe.
 *
 * @param positionOf - Returns the position of one of the merchant's items.
 * @throws ServiceError `invalid-request` - there is no item with the id `after`.
 */
export async function newestFirst(
  { 'createdAt[gte]': from, 'createdAt[lt]': before, limit, after }: ListParameters,
  positionOf: (id: string) => Promise<Position | undefined>,
): Promise<NewestFirst> {
  const position = after === undefined ? undefined : await positionOf(after.toLowerCase());
  if (after !== undefined && !position) throw invalidFilter('after', expectedInLists.after, 'an unknown id');
  return {
    createdFrom: from === undefined ? undefined : instantIn(from),
    createdBefore: before === undefined ? undefined : instantIn(before),
    after: position,
    limit,
  };
}

/**
 * Sets the `Link` header to the next page: the query of this one with other parameters.
 *
 * @param next - Parameters of the next page; undefined for those that it does not have.
 */
export function linkNextPage(ctx: Context, next: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(ctx.querystring);
  for (const [name, value] of Object.entries(next)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  ctx.set('link', `<${ctx.state.publicUrl}${ctx.path.replace(/\/$/, '')}?${query}>; rel="next"`);
}
