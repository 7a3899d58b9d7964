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
  createdAt: Instant;
  dueAt: Instant;
}

/** Before every clock: the clock that dates a purchase need not be the one that sends callbacks. */
export const AT_ONCE: Instant = '1970-01-01T00:00:00.000000Z';

/** Promises a callback. Belongs into the database transaction of its cause. */
export async function enqueueCallback(tx: Tx, { id, merchantId, url, body, createdAt, dueAt }: Callback): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      id,
      merchant_id: merchantId,
      url,
      endpoint: new URL(url).origin,
      body: JSON.stringify(body),
      attempts: 0,
      due_at: dueAt,
      delivered_at: null,
      last_failure: '',
      created_at: createdAt,
    })
    .execute();
}

export interface Claim {
  /** How many to take at most, how many of one endpoint, and how many of one merchant. */
  limit: number;
  limitPerEndpoint: number;
  limitPerMerchant: number;
  /** How many of each endpoint, and of each merchant by id, are under way already. */
  underWay: ReadonlyMap<string, number>;
}

/**
 * Takes notifications that are due, so that no other process sends them before `leaseUntil`. When this process dies,
 * they are due again then. No endpoint and no merchant takes more than its share, however many there are to get.
 */
export function claimDue(database: Database, claim: Claim, now: Instant, leaseUntil: Instant): Promise<OutboxRow[]> {
  const { limit, limitPerEndpoint, limitPerMerchant, underWay } = claim;
  const full = (most: number) => [...underWay].filter(([, count]) => count >= most).map(([name]) => name);

  return database.write(async (tx) => {
    let due = tx.selectFrom('outbox').select(['id', 'endpoint', 'merchant_id']).where('due_at', '<=', now);
    if (underWay.size > 0) {
      due = due.where('endpoint', 'not in', ['', ...full(limitPerEndpoint)]);
      due = due.where('merchant_id', 'not in', ['', ...full(limitPerMerchant)]);
    }
    const next = due.orderBy('due_at').orderBy('id').limit(limit);
    // On PostgreSQL many processes share the outbox: each passes over the rows another is just taking.
    const free = await (database.engine === 'postgres' ? next.forUpdate().skipLocked() : next).execute();

    const counts = new Map(underWay);
    const counted = (name: string) => (counts.get(name) ?? 0) + 1;
    const taken = free.filter(({ endpoint, merchant_id }) => {
      if (counted(endpoint) > limitPerEndpoint || counted(merchant_id) > limitPerMerchant) return false;
      for (const name of [endpoint, merchant_id]) counts.set(name, counted(name));
      return true;
    });
    if (taken.length === 0) return [];
    return tx
      .updateTable('outbox')
      .set((row) => ({ due_at: leaseUntil, attempts: row('attempts', '+', 1) }))
      .where(
        'id',
        'in',
        taken.map(({ id }) => id),
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

/**
 * An attempt that outlived its lease may fail after another process has succeeded; what is delivered stays so.
 *
 * @param dueAt - When to try again; null when there is no further attempt.
 */
export async function noteFailed(database: Database, id: string, failure: string, dueAt: Instant | null): Promise<void> {
  await database.write((tx) =>
    tx
      .updateTable('outbox')
      .set({ due_at: dueAt, last_failure: failure })
      .where('id', '=', id)
      .where('delivered_at', 'is', null)
      .execute(),
  );
}
