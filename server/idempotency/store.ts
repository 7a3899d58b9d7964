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

/**
 * Adds a key, unless it is there. It is not looked for before: on PostgreSQL, serializable requests that read where others
 * write get in each other's way, whatever their keys are.
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

/** Lets go of a key that `holder` still holds. */
export async function endLease(tx: Tx, { merchant_id, key }: KeyName, holder: string): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ leased_until: '' })
    .where('merchant_id', '=', merchant_id)
    .where('key', '=', key)
    .where('holder', '=', holder)
    .execute();
}

/** Keeps an answer, unless there is one. */
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

/** Forgets the writes of which nobody will ask any more, because there is an answer. */
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
  await forgetRun(tx, { merchant_id, key });
  return true;
}
