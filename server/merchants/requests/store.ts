import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import { countByPeriod, type Period } from '../../db/periods.ts';
import { preparedInsert } from '../../db/prepared.ts';
import type { MerchantRequestTable } from '../../db/schema.ts';

/** Days for which requests are stored. */
export const REQUEST_DAYS = 7;

export type MerchantRequest = Selectable<MerchantRequestTable>;

export const addRequest = preparedInsert('merchant_requests');

/** Adds requests, and saves the results of those that were added before. */
export async function saveRequests(tx: Tx, requests: readonly MerchantRequest[]): Promise<void> {
  await tx
    .insertInto('merchant_requests')
    .values([...requests])
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({ status: ref('excluded.status'), code: ref('excluded.code') })),
    )
    .execute();
}

interface RequestFilter {
  onlyFailed: boolean;
  /** Id of a request: only earlier ones. */
  after?: string | undefined;
  limit: number;
}

/** Returns requests of a merchant, the newest first. */
export function listRequests(
  query: Query,
  merchantId: string,
  { onlyFailed, after, limit }: RequestFilter,
): Promise<MerchantRequest[]> {
  let requests = query.selectFrom('merchant_requests').selectAll().where('merchantId', '=', merchantId);
  if (onlyFailed) requests = requests.where('code', 'is not', null);
  if (after !== undefined) requests = requests.where('id', '<', after);
  return requests.orderBy('id', 'desc').limit(limit).execute();
}

/** Numbers of requests by their result: without an error code, with a status below 500, and with another one. */
export type RequestCounts = Record<'succeeded' | 'rejected' | 'failed', number>;

/** Returns the numbers of a merchant's requests of each period. */
export async function countRequests(query: Query, merchantId: string, periods: readonly Period[]): Promise<RequestCounts[]> {
  const count = (condition: RawBuilder<unknown>) =>
    countByPeriod(
      query,
      { table: 'merchant_requests', condition: sql`merchant_id = ${merchantId} ${condition}`, time: 'id' },
      periods,
    );
  // The condition on the code is that of a partial index; all of them are counted in another one, and last, so that none is missing in it.
  const rejected = await count(sql`and code is not null and status < 500`);
  const failed = await count(sql`and code is not null and status >= 500`);
  const all = await count(sql``);
  return periods.map((_, index) => ({
    succeeded: all[index]! - rejected[index]! - failed[index]!,
    rejected: rejected[index]!,
    failed: failed[index]!,
  }));
}

export async function findRequest(query: Query, merchantId: string, id: string): Promise<MerchantRequest | undefined> {
  const request = query.selectFrom('merchant_requests').selectAll().where('id', '=', id);
  return request.where('merchantId', '=', merchantId).executeTakeFirst();
}
