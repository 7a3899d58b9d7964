import type { Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { prepared, preparedInsert } from '../db/prepared.ts';
import type { IdempotencyKeyTable } from '../db/schema.ts';
import type { Instant } from '../time.ts';

export type KeyRow = Selectable<IdempotencyKeyTable>;

/** Which row: two merchants may use the same key. */
export type KeyName = Pick<KeyRow, 'merchant_id' | 'key'>;

export async function findKey(query: Query, { merchant_id, key }: KeyName): Promise<KeyRow | undefined> {
  const [row] = await keyByName(query, merchant_id, key);
  return row;
}

const keyByName = prepared((query, merchantId: string, key: string) =>
  query.selectFrom('idempotency_keys').selectAll().where('merchant_id', '=', merchantId).where('key', '=', key),
);

export const addKeyRow = preparedInsert('idempotency_keys');

/** Replaces what is known of a key. */
export async function saveKeyRow(tx: Tx, row: KeyRow): Promise<void> {
  const { merchant_id, key, ...changed } = row;
  await tx.updateTable('idempotency_keys').set(changed).where('merchant_id', '=', merchant_id).where('key', '=', key).execute();
}

/** Lets go of a key that `holder` still holds and has not answered. */
export async function endLease(tx: Tx, { merchant_id, key }: KeyName, holder: string): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ leased_until: '' })
    .where('merchant_id', '=', merchant_id)
    .where('key', '=', key)
    .where('holder', '=', holder)
    .execute();
}

/** What a write of an earlier run came to, or undefined when it was never committed. */
export async function findWrite(
  tx: Tx,
  { merchant_id, key }: KeyName,
  ordinal: number,
): Promise<{ result_json: string | null } | undefined> {
  return tx
    .selectFrom('idempotency_writes')
    .select('result_json')
    .where('merchant_id', '=', merchant_id)
    .where('key', '=', key)
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
}

export const addWrite = preparedInsert('idempotency_writes');

export async function forgetWrites(tx: Tx, { merchant_id, key }: KeyName): Promise<void> {
  await writesOf(tx, merchant_id, key);
}

const writesOf = prepared((query, merchantId: string, key: string) =>
  query.deleteFrom('idempotency_writes').where('merchant_id', '=', merchantId).where('key', '=', key),
);

/** Keys whose time is over. */
export async function expiredKeys(query: Query, now: Instant, limit: number): Promise<KeyName[]> {
  return query
    .selectFrom('idempotency_keys')
    .select(['merchant_id', 'key'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}

/** Forgets a key, unless it was used anew since its time was over, or somebody is at it. False when it was kept. */
export async function removeExpired(tx: Tx, { merchant_id, key }: KeyName, now: Instant, realNow: Instant): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('idempotency_keys')
    .where('merchant_id', '=', merchant_id)
    .where('key', '=', key)
    .where('expires_at', '<=', now)
    .where('leased_until', '<=', realNow)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await forgetWrites(tx, { merchant_id, key });
  return true;
}
