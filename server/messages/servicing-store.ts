import { create, integer, type } from 'superstruct';
import { type OnConflictBuilder, sql } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { engineOf } from '../db/engine.ts';
import { prepared, preparedInsert } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { openRows, unseal } from '../db/sealed.ts';
import type { ServicingEvent } from '../lending/lenders/events.ts';
import type { Instant } from '../base/time.ts';
import { lenderUrl } from './addresses.ts';
import { DUE_NOW, outboxRow } from './outbox.ts';

/** The application that an event belongs to, and the id and the time of the event. */
export interface EventSubject {
  id: string;
  merchantId: string;
  applicationId: string;
  requestId: string | null;
  at: Instant;
}

/** Attempts to find the next free position, if others enqueue events of the same application at the same time. */
const MAX_POSITIONS = 10;

/**
 * Enqueues an event for the lender, in the database transaction of its cause. It is due when the lender has received all earlier events
 * of its application.
 *
 * Locks the earlier events in their order, so that either this sees a delivery, or the delivery sees this event.
 */
export async function enqueueServicingEvent(
  tx: Tx,
  { requestId, at, ...subject }: EventSubject,
  event: ServicingEvent,
): Promise<void> {
  const { id, applicationId } = subject;
  for (let tries = 0; tries < MAX_POSITIONS; tries++) {
    const earlier = await lockedEvents(tx, applicationId);
    const sequence = (earlier.at(-1)?.sequence ?? 0) + 1;
    const row = outboxRow(tx, {
      ...subject,
      transactionId: 'transactionId' in event ? event.transactionId : null,
      channel: 'lender',
      url: lenderUrl(applicationId),
      endpoint: 'lender',
      sequence,
      body: JSON.stringify({ id, sequence, at, applicationId, requestId, ...event }),
      createdAt: at,
      dueAt: earlier.every(({ deliveredAt }) => deliveredAt !== null) ? DUE_NOW : null,
    });
    if (await insertUnlessTaken(tx, row)) return;
  }
  throw new Error(`The event ${id} of application ${applicationId} could not be enqueued`);
}

/** Another event of the application has the position. */
function samePosition(conflict: OnConflictBuilder<Schema, 'outbox'>) {
  return conflict
    .columns(['applicationId', 'sequence'])
    .where('channel', '=', sql.lit('lender' as const))
    .doNothing();
}

const insertUnlessTaken = preparedInsert('outbox', samePosition);

/** Selects the events of an application in their order, in which they are also locked. */
function inOrder(tx: Query, applicationId: string | null) {
  return tx
    .selectFrom('outbox')
    .select(['id', 'sequence', 'deliveredAt'])
    .where('channel', '=', sql.lit('lender' as const))
    .where('applicationId', '=', applicationId)
    .orderBy('sequence');
}

const lockedEvents = prepared((tx, applicationId: string | null) => inOrder(tx, applicationId).forUpdate());
const undelivered = prepared((tx, applicationId: string | null) =>
  inOrder(tx, applicationId).where('deliveredAt', 'is', null).limit(1),
);

/** Locks the events of an application, before one of them is saved as delivered. SQLite has one writer at a time. */
export async function lockServicingEvents(tx: Tx, applicationId: string | null): Promise<void> {
  if (engineOf(tx) === 'postgres') await lockedEvents(tx, applicationId);
}

/**
 * Makes the next event of an application due after one was delivered.
 *
 * Reads the events again, because the statement that waited for the locks does not return those that were enqueued meanwhile. Not always the
 * next one: an event that was redelivered delays only those that were enqueued meanwhile.
 */
export async function releaseNextServicingEvent(tx: Tx, applicationId: string | null): Promise<void> {
  const [next] = await undelivered(tx, applicationId);
  if (!next) return;
  const waiting = tx.updateTable('outbox').set({ dueAt: DUE_NOW }).where('id', '=', next.id);
  await waiting.where('attempts', '=', 0).where('dueAt', 'is', null).execute();
}

/** An event of a loan for the lender, as it is enqueued or was delivered. */
export interface EnqueuedServicingEvent {
  applicationId: string;
  transactionId: string;
  sequence: number;
  /** The row of the journal that caused it. */
  revision: number;
  isDelivered: boolean;
  /** The body of the request to the lender. */
  body: Readonly<Record<string, unknown>>;
}

const LoanEventBody = type({ revision: integer() });

/** Returns the events of the loans of applications, in no particular order. */
export async function listServicingEvents(query: Query, applicationIds: readonly string[]): Promise<EnqueuedServicingEvent[]> {
  if (applicationIds.length === 0) return [];
  const rows = await lenderRowsOf(query, applicationIds)
    .select(['id', 'merchantId', 'channel', 'transactionId', 'cartId', 'applicationId', 'sequence', 'sealed', 'deliveredAt'])
    .where('transactionId', 'is not', null)
    .execute();
  return openRows(query, rows, (row) => {
    const body = create(JSON.parse(unseal(query, 'outbox', row).body), LoanEventBody);
    const { applicationId, transactionId, sequence } = row;
    const ids = { applicationId: applicationId!, transactionId: transactionId!, sequence: sequence! };
    return { ...ids, revision: body.revision, isDelivered: row.deliveredAt !== null, body };
  });
}

/** The position of an event among those of its application, of any kind. */
export interface ServicingPosition {
  applicationId: string;
  sequence: number;
  isDelivered: boolean;
  /** True if it was scheduled again after an attempt. */
  wasReplayed: boolean;
}

/** Returns the positions of the events of applications, in their order. */
export async function listServicingPositions(query: Query, applicationIds: readonly string[]): Promise<ServicingPosition[]> {
  if (applicationIds.length === 0) return [];
  const rows = await lenderRowsOf(query, applicationIds)
    .select(['applicationId', 'sequence', 'deliveredAt', 'replayedAfter'])
    .orderBy('applicationId')
    .orderBy('sequence')
    .execute();
  return rows.map(({ applicationId, sequence, deliveredAt, replayedAfter }) => ({
    applicationId: applicationId!,
    sequence: sequence!,
    isDelivered: deliveredAt !== null,
    wasReplayed: replayedAfter > 0,
  }));
}

function lenderRowsOf(query: Query, applicationIds: readonly string[]) {
  return (
    query
      .selectFrom('outbox')
      // A literal, so that the partial index can be used.
      .where('channel', '=', sql.lit('lender' as const))
      .where('applicationId', 'in', applicationIds)
  );
}
