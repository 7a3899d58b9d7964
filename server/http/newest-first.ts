import type { NewestFirst, Position } from '../db/newest-first.ts';
import { instantIn, invalidFilter } from './query.ts';

/** The parameters of every list of the merchant API. */
interface ListParameters {
  'createdAt[gte]'?: string | undefined;
  'createdAt[lt]'?: string | undefined;
  limit: number;
  after?: string | undefined;
}

const DATE_OR_TIMESTAMP = 'a date such as 2026-03-31, or a timestamp such as 2026-03-31T12:00:00Z';

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
