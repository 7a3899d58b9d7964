import type { Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { prepared, preparedInsert } from '../db/prepared.ts';
import type { IdempotencyAnswerTable, IdempotencyKeyTable } from '../db/schema.ts';
import type { Instant } from '../time.ts';

export type KeyRow = Selectable<IdempotencyKeyTable>;
export type AnswerRow = Selectable<IdempotencyAnswerTable>;

/** Which key: two merchants may use the same. */
export type KeyName = Pick<KeyRow, 'merchant_id' | 'key'>;

/** A key with its answer; `status` is null until there is one. */
export type FoundKey = KeyRow & { [Column in 'status' | 'headers_json' | 'body']: AnswerRow[Column] | null };

export async function findKey(query: Query, { merchant_id, key }: KeyName): Promise<FoundKey | undefined> {
  const [row] = await keyByName(query, merchant_id, key);
  return row;
}

const keyByName = prepared((query, merchantId: string, key: string) =>
  query
    .selectFrom('idempotency_keys')
    .leftJoin('idempotency_answers', (join) =>
      join
        .onRef('idempotency_answers.merchant_id', '=', 'idempotency_keys.merchant_id')
        .onRef('idempotency_answers.key', '=', 'idempotency_keys.key'),
    )
    .selectAll('idempotency_keys')
    .select(['status', 'headers_json', 'body'])
    .where('idempotency_keys.merchant_id', '=', merchantId)
    .where('idempotency_keys.key', '=', key),
);

/** Locks the row of a key until the database transaction ends and returns the run that holds it; undefined without such a row. */
export async function lockKey(tx: Tx, { merchant_id, key }: KeyName): Promise<string | undefined> {
  const [row] = await holderForUpdate(tx, merchant_id, key);
  return row?.holder;
}

const holderForUpdate = prepared((query, merchantId: string, key: string) =>
  query.selectFrom('idempotency_keys').select('holder').where('merchant_id', '=', merchantId).where('key', '=', key).forUpdate(),
);

/**
 * Adds a key and returns true, or returns false when it exists. Waits for another database transaction that is just adding it: of
 * any number of requests with one new key, one gets it.
 */
export async function addKeyRow(tx: Tx, row: KeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Replaces what is known of a key. */
export async function saveKeyRow(tx: Tx, { merchant_id, key, ...changed }: KeyRow): Promise<void> {
  await tx.updateTable('idempotency_keys').set(changed).where('merchant_id', '=', merchant_id).where('key', '=', key).execute();
}

/** Ends the lease of `holder`, unless another run holds the key by now. */
export async function endLease(tx: Tx, { merchant_id, key }: KeyName, holder: string): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ leased_until: '' })
    .where('merchant_id', '=', merchant_id)
    .where('key', '=', key)
    .where('holder', '=', holder)
    .execute();
}

/** Stores a response and returns true, or returns false when there is one already. */
export async function addAnswer(tx: Tx, row: AnswerRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_answers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
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

/** Forgets what the writes of a key came to, and its answer. */
export async function forgetRun(tx: Tx, { merchant_id, key }: KeyName): Promise<void> {
  await tx.deleteFrom('idempotency_writes').where('merchant_id', '=', merchant_id).where('key', '=', key).execute();
  await tx.deleteFrom('idempotency_answers').where('merchant_id', '=', merchant_id).where('key', '=', key).execute();
}

/** Deletes recorded writes that are no longer needed, because the response is stored. */
export async function forgetAnsweredWrites(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('idempotency_writes')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('idempotency_answers')
          .select('status')
          .whereRef('idempotency_answers.merchant_id', '=', 'idempotency_writes.merchant_id')
          .whereRef('idempotency_answers.key', '=', 'idempotency_writes.key'),
      ),
    )
    .execute();
}

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

/** Deletes a key and returns true, unless it was used again since it expired, or a run holds it. */
export async function removeExpired(tx: Tx, { merchant_id, key }: KeyName, now: Instant): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('idempotency_keys')
    .where('merchant_id', '=', merchant_id)
    .where('key', '=', key)
    .where('expires_at', '<=', now)
    .where('leased_until', '<=', now)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await forgetRun(tx, { merchant_id, key });
  return true;
}
