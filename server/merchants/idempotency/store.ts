import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import { prepared, preparedInsert } from '../../db/prepared.ts';
import type { IdempotencyKeyTable, Schema } from '../../db/schema.ts';
import { seal, unseal } from '../../db/sealed.ts';
import type { Instant } from '../../base/time.ts';

export type IdempotencyKey = Selectable<IdempotencyKeyTable>;

/** Identifies a key. Keys are unique per merchant. */
export type KeyRef = Pick<IdempotencyKey, 'merchantId' | 'key'>;

/** A response as it was sent. Its body may have personal data, so it is stored sealed. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

type SealedResponse = Omit<StoredResponse, 'status'>;

declare module '../../db/sealed.ts' {
  interface SealedValues {
    idempotency_responses: SealedResponse;
  }
}

/** A key with its response, undefined until it is stored. */
export type FoundKey = IdempotencyKey & { response: StoredResponse | undefined };

export async function findIdempotencyKey(query: Query, { merchantId, key }: KeyRef): Promise<FoundKey | undefined> {
  const [row] = await keyByRef(query, merchantId, key);
  if (!row) return undefined;
  const { status, sealed, ...found } = row;
  if (status === null || sealed === null) return { ...found, response: undefined };
  const response = unseal(query, 'idempotency_responses', { merchantId, key, sealed });
  return { ...found, response: { status, ...response } };
}

const keyByRef = prepared((query, merchantId: string, key: string) =>
  query
    .selectFrom('idempotency_keys')
    .leftJoin('idempotency_responses', (join) =>
      join
        .onRef('idempotency_responses.merchantId', '=', 'idempotency_keys.merchantId')
        .onRef('idempotency_responses.key', '=', 'idempotency_keys.key'),
    )
    .selectAll('idempotency_keys')
    .select(['status', 'sealed'])
    .where('idempotency_keys.merchantId', '=', merchantId)
    .where('idempotency_keys.key', '=', key),
);

/** Locks the row of a key and returns the id of the run that holds it; undefined if there is no row. */
export async function lockKey(tx: Tx, { merchantId, key }: KeyRef): Promise<string | undefined> {
  const [row] = await holderForUpdate(tx, merchantId, key);
  return row?.holder;
}

const holderForUpdate = prepared((query, merchantId: string, key: string) =>
  query.selectFrom('idempotency_keys').select('holder').where('merchantId', '=', merchantId).where('key', '=', key).forUpdate(),
);

/**
 * Adds a key. Returns false if it exists. Waits for a concurrent database transaction that adds it, so that only one of several
 * requests with a new key adds it.
 */
export async function addKeyRow(tx: Tx, row: IdempotencyKey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function saveKeyRow(tx: Tx, { merchantId, key, ...changed }: IdempotencyKey): Promise<void> {
  await tx.updateTable('idempotency_keys').set(changed).where('merchantId', '=', merchantId).where('key', '=', key).execute();
}

/** Ends the lease of `holder`, unless another run has taken over. */
export async function endLease(tx: Tx, { merchantId, key }: KeyRef, holder: string): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ leasedUntil: '' })
    .where('merchantId', '=', merchantId)
    .where('key', '=', key)
    .where('holder', '=', holder)
    .execute();
}

/** Deletes the key of `holder` with the results of its writes, unless another run has taken over. */
export function deleteHeldKey(tx: Tx, ref: KeyRef, holder: string): Promise<boolean> {
  return deleteKeyIf(tx, ref, (key) => key('holder', '=', holder));
}

/** Deletes a key. Returns false if it was used again since it expired, or is leased. */
export function deleteExpiredKey(tx: Tx, ref: KeyRef, now: Instant): Promise<boolean> {
  return deleteKeyIf(tx, ref, (key) => key.and([key('expiresAt', '<=', now), key('leasedUntil', '<=', now)]));
}

/** Deletes a key that meets a condition, with the results of its writes, and its response. Returns false if it does not. */
async function deleteKeyIf(
  tx: Tx,
  { merchantId, key }: KeyRef,
  condition: (key: ExpressionBuilder<Schema, 'idempotency_keys'>) => Expression<SqlBool>,
): Promise<boolean> {
  const ofRef = tx.deleteFrom('idempotency_keys').where('merchantId', '=', merchantId).where('key', '=', key);
  const { numDeletedRows } = await ofRef.where(condition).executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await deleteRunResults(tx, { merchantId, key });
  return numDeletedRows > 0n;
}

/** Stores a response. Returns false if there is one. */
export async function addResponse(tx: Tx, { merchantId, key }: KeyRef, response: StoredResponse): Promise<boolean> {
  const { status, headers, body } = response;
  const sealed = seal(tx, 'idempotency_responses', { merchantId, key }, { headers, body });
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_responses')
    .values({ merchantId, key, status, sealed })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the result of a write of an earlier run, or undefined if it was not committed. */
export async function findWrite(tx: Tx, { merchantId, key }: KeyRef, ordinal: number): Promise<{ result: unknown } | undefined> {
  const row = await tx
    .selectFrom('idempotency_writes')
    .selectAll()
    .where('merchantId', '=', merchantId)
    .where('key', '=', key)
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
  return row && unseal(tx, 'idempotency_writes', row);
}

/** Stores the result of a write, which must be JSON. */
export async function addWrite(tx: Tx, { merchantId, key }: KeyRef, ordinal: number, result: unknown): Promise<void> {
  const sealed = seal(tx, 'idempotency_writes', { merchantId, key, ordinal }, { result });
  await insertWrite(tx, { merchantId, key, ordinal, sealed });
}

const insertWrite = preparedInsert('idempotency_writes');

/** Deletes the results of the writes of a key, and its response. */
export async function deleteRunResults(tx: Tx, { merchantId, key }: KeyRef): Promise<void> {
  await tx.deleteFrom('idempotency_writes').where('merchantId', '=', merchantId).where('key', '=', key).execute();
  await tx.deleteFrom('idempotency_responses').where('merchantId', '=', merchantId).where('key', '=', key).execute();
}

/** Deletes recorded writes that are no longer needed, because the response is stored. */
export async function deleteFinishedWrites(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('idempotency_writes')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('idempotency_responses')
          .select('status')
          .whereRef('idempotency_responses.merchantId', '=', 'idempotency_writes.merchantId')
          .whereRef('idempotency_responses.key', '=', 'idempotency_writes.key'),
      ),
    )
    .execute();
}

/** Returns expired keys, the oldest first. */
export async function expiredKeys(query: Query, now: Instant, limit: number): Promise<KeyRef[]> {
  return query
    .selectFrom('idempotency_keys')
    .select(['merchantId', 'key'])
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit)
    .execute();
}
