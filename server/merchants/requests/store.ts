import type { Selectable } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
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

export async function findRequest(query: Query, merchantId: string, id: string): Promise<MerchantRequest | undefined> {
  const request = query.selectFrom('merchant_requests').selectAll().where('id', '=', id);
  return request.where('merchantId', '=', merchantId).executeTakeFirst();
}
