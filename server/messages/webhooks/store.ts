import { type Expression, type Selectable, sql } from 'kysely';
import type { EventData, EventType } from '../../../shared/wire/event.ts';
import type { Query, Tx } from '../../db/database.ts';
import { connectionOf, engineOf } from '../../db/engine.ts';
import { fromJson, toJson } from '../../db/json.ts';
import { countByPeriod, type Period } from '../../db/periods.ts';
import { prepared, preparedSaving } from '../../db/prepared.ts';
import type { EventTable, WebhookTable } from '../../db/schema.ts';
import { openRows, seal, unseal } from '../../db/sealed.ts';
import { realTimeOfWrite, timeAt } from '../../db/write-time.ts';
import { isId } from '../../base/ids.ts';
import type { Mode } from '../../base/mode.ts';
import { DATABASE_NOW, type Instant } from '../../base/time.ts';

export type StoredEvent = Selectable<EventTable>;

/** A change to record as an event. Its data has the names and values of the merchant API. */
export type NewEvent = {
  [Type in EventType]: { id: string; merchantId: string; type: Type; data: EventData[Type] };
}[EventType];

/**
 * Records an event of a merchant, in the database transaction of its cause: neither is ever saved without the other.
 *
 * The database chooses its time, so that the list of events can be followed (decisions/0045). An event of a merchant without webhooks is
 * marked as enqueued at once, which saves the job that enqueues deliveries from reading it.
 */
export async function recordEvent(tx: Tx, { id, merchantId, type, data }: NewEvent): Promise<void> {
  const transactionId = 'transactionId' in data ? data.transactionId : null;
  const { realWriteTime, clockOffsetMs } = connectionOf(tx);
  const occurredAt = clockOffsetMs ? DATABASE_NOW : null;
  await insertEvent(tx, { id, merchantId, type, transactionId, dataJson: toJson(data), occurredAt }, realWriteTime);
}

const insertEvent = preparedSaving(
  (tx, row: Omit<StoredEvent, 'createdAt' | 'enqueuedAt'>, realWriteTime: Instant | undefined) => {
    const createdAt = timeAt(tx, realWriteTime, 0);
    return tx.insertInto('events').values({ ...row, createdAt, enqueuedAt: unlessReceived(row.merchantId, createdAt) });
  },
);

/** Null if the merchant has webhooks that receive events; `instant` otherwise. */
function unlessReceived(merchantId: string, instant: Expression<Instant>): Expression<Instant | null> {
  return sql`case when exists (
    select 1 from webhooks where merchant_id = ${merchantId} and disabled_at is null
  ) then null else ${instant} end`;
}

export async function findEvent(query: Query, merchantId: string, id: string): Promise<StoredEvent | undefined> {
  if (!isId(id)) return undefined;
  return query.selectFrom('events').selectAll().where('id', '=', id).where('merchantId', '=', merchantId).executeTakeFirst();
}

export interface EventFilter {
  merchantId: string;
  type?: EventType | undefined;
  transactionId?: string | undefined;
  /** Inclusive lower bound. */
  createdFrom?: Instant | undefined;
  /** Exclusive upper bound. */
  createdBefore?: Instant | undefined;
  /** The last event of the previous page. */
  after?: Pick<StoredEvent, 'createdAt' | 'id'> | undefined;
  limit: number;
}

/** Returns events of the merchant, the oldest first. */
export async function listEvents(query: Query, filter: EventFilter): Promise<StoredEvent[]> {
  const { merchantId, type, transactionId, createdFrom, createdBefore, after, limit } = filter;
  let events = query.selectFrom('events').selectAll().where('merchantId', '=', merchantId);
  if (type !== undefined) events = events.where('type', '=', type);
  if (transactionId !== undefined) events = events.where('transactionId', '=', transactionId);
  if (createdBefore !== undefined) events = events.where('createdAt', '<', createdBefore);
  // Only one of two lower bounds remains, so that the index is read from there.
  if (after && after.createdAt >= (createdFrom ?? '')) {
    events = events.where((row) => row(row.refTuple('createdAt', 'id'), '>', row.tuple(after.createdAt, after.id)));
  } else if (createdFrom !== undefined) events = events.where('createdAt', '>=', createdFrom);
  return events.orderBy('createdAt').orderBy('id').limit(limit).execute();
}

/** Returns the newest events of a transaction, the newest first. */
export function newestEvents(query: Query, merchantId: string, transactionId: string, limit: number): Promise<StoredEvent[]> {
  const events = query
    .selectFrom('events')
    .selectAll()
    .where('merchantId', '=', merchantId)
    .where('transactionId', '=', transactionId);
  return events.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Returns the number of a merchant's events of a type in each period: of the sandbox's clock, or else of real time. */
export async function countEvents(
  { query, mode }: { query: Query; mode: Mode },
  merchantId: string,
  type: EventType,
  periods: readonly Period[],
): Promise<number[]> {
  const condition = sql`merchant_id = ${merchantId} and type = ${type}`;
  if (mode === 'live') return countByPeriod(query, { table: 'events', condition }, periods);
  const unmoved = { table: 'events', condition: sql`${condition} and occurred_at is null` } as const;
  const moved = { table: 'events', condition: sql`${condition} and occurred_at is not null`, time: 'occurred_at' } as const;
  const counts = await countByPeriod(query, unmoved, periods);
  const movedCounts = await countByPeriod(query, moved, periods);
  return counts.map((count, index) => count + movedCounts[index]!);
}

/** Returns true if the deliveries of an event are to be enqueued. Cheaper than a database transaction. */
export async function hasEventsToEnqueue(query: Query): Promise<boolean> {
  return (await eventToEnqueue(query)).length > 0;
}

const eventToEnqueue = prepared((query) => query.selectFrom('events').select('id').where(isToEnqueue).limit(1));

/** Returns events whose deliveries are to be enqueued, the oldest first. On PostgreSQL, locks them and skips those that others have locked. */
export async function eventsToEnqueue(tx: Tx, limit: number): Promise<StoredEvent[]> {
  const events = tx.selectFrom('events').selectAll().where(isToEnqueue).orderBy('createdAt').orderBy('id').limit(limit);
  return (engineOf(tx) === 'postgres' ? events.forUpdate().skipLocked() : events).execute();
}

/** A literal condition, so that the partial index can be used. */
const isToEnqueue = sql<boolean>`enqueued_at is null`;

export async function saveEnqueued(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('events')
    .set({ enqueuedAt: realTimeOfWrite(tx) })
    .where('id', 'in', ids)
    .execute();
}

/** A secret that signs the events of a webhook. */
export interface WebhookSecret {
  secret: string;
  /** End of a rotation; null for the current secret. */
  expiresAt: Instant | null;
}

/** The values of a webhook that are secret. */
export interface SealedWebhook {
  /** May contain a password. */
  url: string;
  /** The newest first. */
  secrets: readonly WebhookSecret[];
}

declare module '../../db/sealed.ts' {
  interface SealedValues {
    webhooks: SealedWebhook;
  }
}

/** A webhook with its sealed values. */
export type StoredWebhook = Omit<Selectable<WebhookTable>, 'typesJson' | 'sealed'> &
  SealedWebhook & {
    /** The types of events that it receives; empty for all. */
    types: readonly EventType[];
  };

function openWebhook(query: Query, { typesJson, ...row }: Selectable<WebhookTable>): StoredWebhook {
  const { sealed: _sealed, ...plain } = row;
  return { ...plain, types: fromJson(typesJson), ...unseal(query, 'webhooks', row) };
}

export async function addWebhook(tx: Tx, { types, url, secrets, ...row }: StoredWebhook): Promise<void> {
  const sealed = seal(tx, 'webhooks', row, { url, secrets });
  await tx
    .insertInto('webhooks')
    .values({ ...row, typesJson: toJson(types), sealed })
    .execute();
}

export async function findWebhook(query: Query, merchantId: string, id: string): Promise<StoredWebhook | undefined> {
  if (!isId(id)) return undefined;
  const row = await ofMerchant(query, merchantId, id).executeTakeFirst();
  return row && openWebhook(query, row);
}

/** Returns the webhook of the merchant and locks its row. */
export async function lockWebhook(tx: Tx, merchantId: string, id: string): Promise<StoredWebhook | undefined> {
  if (!isId(id)) return undefined;
  const row = await ofMerchant(tx, merchantId, id).forUpdate().executeTakeFirst();
  return row && openWebhook(tx, row);
}

function ofMerchant(query: Query, merchantId: string, id: string) {
  return query.selectFrom('webhooks').selectAll().where('id', '=', id).where('merchantId', '=', merchantId);
}

/** Returns the webhook of a delivery; undefined if it was deleted, or is damaged. */
export async function findReceiver(query: Query, id: string): Promise<StoredWebhook | undefined> {
  const rows = await query.selectFrom('webhooks').selectAll().where('id', '=', id).execute();
  return (await openRows(query, rows, (row) => openWebhook(query, row)))[0];
}

/** Returns the webhooks of the merchant, the oldest first. */
export async function listWebhooks(query: Query, merchantId: string): Promise<StoredWebhook[]> {
  const rows = await query
    .selectFrom('webhooks')
    .selectAll()
    .where('merchantId', '=', merchantId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return openRows(query, rows, (row) => openWebhook(query, row));
}

/** Returns the webhooks of merchants that receive events. Locks them if one of them is not confirmed, so that no event waits after that. */
export async function receivingWebhooks(
  tx: Tx,
  merchantIds: readonly string[],
): Promise<Pick<StoredWebhook, 'id' | 'merchantId' | 'types' | 'confirmedAt'>[]> {
  if (merchantIds.length === 0) return [];
  const receiving = tx
    .selectFrom('webhooks')
    .select(['id', 'merchantId', 'typesJson', 'confirmedAt'])
    .where('merchantId', 'in', merchantIds)
    .where('disabledAt', 'is', null);
  let rows = await receiving.execute();
  if (rows.some(({ confirmedAt }) => confirmedAt === null)) rows = await receiving.orderBy('id').forUpdate().execute();
  return rows.map(({ typesJson, ...row }) => ({ ...row, types: fromJson(typesJson) }));
}

/** Saves the secrets of a webhook that is locked. */
export async function saveSecrets(tx: Tx, { url, secrets, ...row }: StoredWebhook): Promise<void> {
  const sealed = seal(tx, 'webhooks', row, { url, secrets });
  await tx.updateTable('webhooks').set({ sealed }).where('id', '=', row.id).execute();
}

export async function saveWebhookState(
  tx: Tx,
  id: string,
  state: Partial<Pick<StoredWebhook, 'confirmedAt' | 'failingSince' | 'disabledAt'>>,
): Promise<void> {
  await tx.updateTable('webhooks').set(state).where('id', '=', id).execute();
}

/** Saves that an attempt has failed, unless an earlier one has. */
export async function saveFailing(tx: Tx, id: string, now: Instant): Promise<void> {
  await tx.updateTable('webhooks').set({ failingSince: now }).where('id', '=', id).where('failingSince', 'is', null).execute();
}

/**
 * Disables a webhook. Returns false if it is disabled already, or was deleted, or has recovered.
 *
 * @param isGone - Whether it accepts no more events, even if it has recovered.
 */
export async function disableWebhook(
  tx: Tx,
  { id, failingSince, isGone }: { id: string; failingSince: Instant; isGone: boolean },
  now: Instant,
): Promise<boolean> {
  let webhook = tx.updateTable('webhooks').set({ failingSince, disabledAt: now }).where('id', '=', id);
  if (!isGone) {
    webhook = webhook.where('failingSince', '=', failingSince).where((row) =>
      row.not(
        // An attempt that began before the first failure does not end it when it succeeds.
        row.exists(
          row
            .selectFrom('outbox')
            .select('outbox.id')
            .where('channel', '=', sql.lit('webhook' as const))
            .where('endpoint', '=', id)
            .where('deliveredAt', '>', failingSince),
        ),
      ),
    );
  }
  return (await webhook.where('disabledAt', 'is', null).executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
}
