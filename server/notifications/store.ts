import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import type { DeliveryAttemptTable, OutboxTable, Schema } from '../db/schema.ts';
import type { Instant } from '../time.ts';

export type OutboxRow = Selectable<OutboxTable>;
export type AttemptRow = Selectable<DeliveryAttemptTable>;

/** How an attempt ended: see `DeliveryAttemptTable`. */
export interface Ended {
  durationMs: number;
  statusCode: number | null;
  failure: string;
}

/** Writes down that the latest attempt of each of these is under way. */
export async function addAttempts(tx: Tx, rows: readonly OutboxRow[], now: Instant): Promise<void> {
  const begun = { started_at: now, duration_ms: null, status_code: null, failure: '' };
  await tx
    .insertInto('delivery_attempts')
    .values(rows.map(({ id, attempts }) => ({ delivery_id: id, number: attempts, ...begun })))
    .execute();
}

export async function endAttempt(tx: Tx, { id, attempts }: OutboxRow, ended: Ended): Promise<void> {
  await tx
    .updateTable('delivery_attempts')
    .set({ duration_ms: ended.durationMs, status_code: ended.statusCode, failure: ended.failure })
    .where('delivery_id', '=', id)
    .where('number', '=', attempts)
    .execute();
}

/** The attempts that were made to deliver something, the first one first. */
export function attemptsOf(query: Query, id: string): Promise<AttemptRow[]> {
  return query.selectFrom('delivery_attempts').selectAll().where('delivery_id', '=', id).orderBy('number').execute();
}

/** `recorded`: the sandbox keeps it and never sends it. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'recorded';

export function stateOf({ due_at, delivered_at, attempts }: OutboxRow): DeliveryState {
  if (delivered_at !== null) return 'delivered';
  if (due_at !== null) return 'pending';
  return attempts === 0 ? 'recorded' : 'failed';
}

/** `stateOf`, asked of the database. */
function isIn(state: DeliveryState) {
  return (row: ExpressionBuilder<Schema, 'outbox'>) => {
    if (state === 'delivered') return row('delivered_at', 'is not', null);
    const isOpen = row('delivered_at', 'is', null);
    if (state === 'pending') return row.and([isOpen, row('due_at', 'is not', null)]);
    return row.and([isOpen, row('due_at', 'is', null), row('attempts', state === 'failed' ? '>' : '=', 0)]);
  };
}

export interface Wanted {
  merchantId?: string | undefined;
  state?: DeliveryState | undefined;
  limit: number;
}

/** What was promised, the latest first. */
export function deliveriesOf(query: Query, { merchantId, state, limit }: Wanted): Promise<OutboxRow[]> {
  let wanted = query.selectFrom('outbox').selectAll();
  if (merchantId !== undefined) wanted = wanted.where('merchant_id', '=', merchantId);
  if (state !== undefined) wanted = wanted.where(isIn(state));
  return wanted.orderBy('id', 'desc').limit(limit).execute();
}

export async function findDelivery(query: Query, id: string): Promise<OutboxRow | undefined> {
  return query.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The e-mails and texts that are recorded and not sent, the latest first. Ids tell, not moments: a sandbox's clock can be moved. */
export function recordedMessages(query: Query, merchantId: string, limit: number): Promise<OutboxRow[]> {
  return query
    .selectFrom('outbox')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('channel', 'in', ['email', 'text'])
    .where(isIn('recorded'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Makes it due again, as if it had never been tried; its id and its log stay. */
export async function replayOne(tx: Tx, id: string, dueAt: Instant): Promise<void> {
  await tx.updateTable('outbox').set(anew(dueAt)).where('id', '=', id).execute();
}

/** The same for whatever has failed for good. Answers how many there were. */
export async function replayFailed(tx: Tx, merchantId: string | undefined, dueAt: Instant): Promise<number> {
  let failed = tx.updateTable('outbox').set(anew(dueAt)).where(isIn('failed'));
  if (merchantId !== undefined) failed = failed.where('merchant_id', '=', merchantId);
  return Number((await failed.executeTakeFirstOrThrow()).numUpdatedRows);
}

function anew(dueAt: Instant) {
  return (row: ExpressionBuilder<Schema, 'outbox'>) => ({
    due_at: dueAt,
    delivered_at: null,
    began_at: null,
    last_failure: '',
    replayed_after: row.ref('attempts'),
  });
}
