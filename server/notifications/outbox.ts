import { type ExpressionBuilder, sql } from 'kysely';
import type { Database, Query, Tx } from '../db/database.ts';
import type { Channel, Schema } from '../db/schema.ts';
import type { Instant } from '../time.ts';
import { cardUrl, mailtoOf, telOf } from './addresses.ts';
import { addAttempts, type Ended, endAttempt, type OutboxRow } from './store.ts';

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
export function enqueueCallback(tx: Tx, { url, body, ...callback }: Callback): Promise<void> {
  return enqueue(tx, { ...callback, channel: 'callback', url, endpoint: new URL(url).origin, body: JSON.stringify(body) });
}

/** An e-mail. `name` is whom it is for; `text` and `html` say the same. */
export interface Letter {
  name: string;
  subject: string;
  text: string;
  html: string;
}

/** What becomes of an e-mail or a text: it is sent, or recorded as a sandbox does, or refused where nothing can send it. */
export type Outlet = 'sent' | 'recorded' | 'refused';
export type Outlets = Record<'email' | 'text', Outlet>;

export type Message = {
  id: string;
  merchantId: string;
  outlet: Exclude<Outlet, 'refused'>;
  createdAt: Instant;
} & (
  | { channel: 'email'; /** An e-mail address. */ to: string; content: Letter }
  | { channel: 'text'; /** A US phone number of ten digits. */ to: string; content: { text: string } }
);

/** Promises an e-mail or a text. All of one kind go to one endpoint: the operator's server. */
export function enqueueMessage(tx: Tx, { to, content, outlet, ...message }: Message): Promise<void> {
  return enqueue(tx, {
    ...message,
    url: message.channel === 'email' ? mailtoOf(to) : telOf(to),
    endpoint: message.channel,
    body: JSON.stringify(content),
    dueAt: outlet === 'sent' ? AT_ONCE : null,
  });
}

/** What a card gateway is to do with what it holds, or has captured, by a reference. */
export interface CardOrder {
  type: 'capture' | 'release' | 'refund';
  reference: string;
  /** 0 of a release. */
  amountCents: number;
}

/** A card order and what it is for: a row of a transaction's journal. */
export interface PromisedCardOrder extends CardOrder {
  transactionId: string;
  sequence: number;
}

type NewCardOrder = PromisedCardOrder & { id: string; merchantId: string; createdAt: Instant };

/** Promises to have a card gateway do something. Belongs into the database transaction of its cause. */
export function enqueueCardOrder(tx: Tx, { transactionId, ...order }: NewCardOrder): Promise<void> {
  const { id, merchantId, createdAt, type, reference, amountCents, sequence } = order;
  const body = JSON.stringify({ type, reference, amountCents, sequence });
  const url = cardUrl(transactionId);
  return enqueue(tx, { id, merchantId, channel: 'card', url, endpoint: 'card', body, createdAt, dueAt: AT_ONCE });
}

/** What was promised of the cards of these transactions, in no order. */
export async function cardOrdersOf(query: Query, transactionIds: readonly string[]): Promise<PromisedCardOrder[]> {
  if (transactionIds.length === 0) return [];
  const rows = await query
    .selectFrom('outbox')
    .select(['url', 'body'])
    // Said literally, so that the index of just these can be used.
    .where('channel', '=', sql.lit('card' as const))
    .where('url', 'in', transactionIds.map(cardUrl))
    .execute();
  return rows.map(({ url, body }) => ({
    transactionId: url.slice('card:'.length),
    ...(JSON.parse(body) as Omit<PromisedCardOrder, 'transactionId'>),
  }));
}

interface Promised {
  id: string;
  merchantId: string;
  channel: Channel;
  url: string;
  endpoint: string;
  body: string;
  createdAt: Instant;
  dueAt: Instant | null;
}

async function enqueue(tx: Tx, { merchantId, createdAt, dueAt, ...promised }: Promised): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      ...promised,
      merchant_id: merchantId,
      attempts: 0,
      replayed_after: 0,
      began_at: null,
      due_at: dueAt,
      delivered_at: null,
      last_failure: '',
      created_at: createdAt,
    })
    .execute();
}

export interface Claim {
  /** What can be sent at all. */
  channels: readonly Channel[];
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
  const { channels, limit, limitPerEndpoint, limitPerMerchant, underWay } = claim;
  const full = (most: number) => [...underWay].filter(([, count]) => count >= most).map(([name]) => name);

  return database.write(async (tx) => {
    let due = tx.selectFrom('outbox').select(['id', 'endpoint', 'merchant_id']).where(isDue(channels, now));
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
    const claimed = await tx
      .updateTable('outbox')
      .set((row) => ({
        due_at: leaseUntil,
        attempts: row('attempts', '+', 1),
        began_at: row.fn.coalesce('began_at', row.val(now)),
      }))
      .where(
        'id',
        'in',
        taken.map(({ id }) => id),
      )
      .returningAll()
      .execute();
    await addAttempts(tx, claimed, now);
    return claimed;
  });
}

/** Whether anything is due. Cheaper than claiming, which opens a database transaction. */
export async function hasDue(query: Query, channels: readonly Channel[], now: Instant): Promise<boolean> {
  const due = query.selectFrom('outbox').select('id').where(isDue(channels, now));
  return (await due.limit(1).executeTakeFirst()) !== undefined;
}

function isDue(channels: readonly Channel[], now: Instant) {
  return (row: ExpressionBuilder<Schema, 'outbox'>) => row.and([row('due_at', '<=', now), row('channel', 'in', channels)]);
}

/** Writes down that the attempt `row` was claimed for was taken. A replay asked for meanwhile is made all the same. */
export async function noteDelivered(database: Database, row: OutboxRow, ended: Ended, now: Instant): Promise<void> {
  await database.write(async (tx) => {
    await endAttempt(tx, row, ended);
    await tx
      .updateTable('outbox')
      .set({ due_at: null, delivered_at: now, last_failure: '' })
      .where('id', '=', row.id)
      .where('replayed_after', '=', row.replayed_after)
      .execute();
  });
}

/**
 * Writes down how the attempt `row` was claimed for failed. One that outlived its lease has nothing to say about what comes next: what
 * was delivered stays so, and a later attempt decides.
 *
 * @param dueAt - When to try again; null when there is no further attempt.
 */
export async function noteFailed(database: Database, row: OutboxRow, ended: Ended, dueAt: Instant | null): Promise<void> {
  await database.write(async (tx) => {
    await endAttempt(tx, row, ended);
    await tx
      .updateTable('outbox')
      .set({ due_at: dueAt, last_failure: ended.failure })
      .where('id', '=', row.id)
      .where('attempts', '=', row.attempts)
      .where('replayed_after', '=', row.replayed_after)
      .where('delivered_at', 'is', null)
      .execute();
  });
}
