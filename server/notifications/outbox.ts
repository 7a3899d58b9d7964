import type { Selectable } from 'kysely';
import type { Database, Query, Tx } from '../db/database.ts';
import type { OutboxTable } from '../db/schema.ts';
import type { Instant } from '../time.ts';

export type OutboxRow = Selectable<OutboxTable>;

export interface Callback {
  id: string;
  merchantId: string;
  url: string;
  body: { transactionId: string; orderRef: string };
  dueAt: Instant;
}

/** Promises a callback. Belongs into the database transaction of its cause. */
export async function enqueueCallback(tx: Tx, { id, merchantId, url, body, dueAt }: Callback): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      id,
      merchant_id: merchantId,
      url,
      body: JSON.stringify(body),
      attempts: 0,
      due_at: dueAt,
      delivered_at: null,
      last_failure: '',
      created_at: dueAt,
    })
    .execute();
}

/**
 * Takes up to `limit` notifications that are due, so that no other process sends them before `leaseUntil`. When this
 * process dies, they are due again then.
 */
export function claimDue(database: Database, limit: number, now: Instant, leaseUntil: Instant): Promise<OutboxRow[]> {
  return database.write(async (tx) => {
    const due = tx.selectFrom('outbox').select('id').where('due_at', '<=', now).orderBy('due_at').limit(limit);
    // On PostgreSQL many processes share the outbox: each passes over the rows another is just taking.
    const free = await (database.engine === 'postgres' ? due.forUpdate().skipLocked() : due).execute();
    if (free.length === 0) return [];
    return tx
      .updateTable('outbox')
      .set((row) => ({ due_at: leaseUntil, attempts: row('attempts', '+', 1) }))
      .where(
        'id',
        'in',
        free.map(({ id }) => id),
      )
      .returningAll()
      .execute();
  });
}

/** Whether anything is due. Cheaper than claiming, which opens a database transaction. */
export async function hasDue(query: Query, now: Instant): Promise<boolean> {
  return (await query.selectFrom('outbox').select('id').where('due_at', '<=', now).limit(1).executeTakeFirst()) !== undefined;
}

export async function noteDelivered(database: Database, id: string, now: Instant): Promise<void> {
  await database.write((tx) =>
    tx.updateTable('outbox').set({ due_at: null, delivered_at: now, last_failure: '' }).where('id', '=', id).execute(),
  );
}

/** @param dueAt - When to try again; null when there is no further attempt. */
export async function noteFailed(database: Database, id: string, failure: string, dueAt: Instant | null): Promise<void> {
  await database.write((tx) =>
    tx.updateTable('outbox').set({ due_at: dueAt, last_failure: failure }).where('id', '=', id).execute(),
  );
}
