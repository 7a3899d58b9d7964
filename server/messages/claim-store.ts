import type { ExpressionBuilder } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { engineOf } from '../db/engine.ts';
import { prepared } from '../db/prepared.ts';
import type { Channel, Schema } from '../db/schema.ts';
import type { Instant } from '../base/time.ts';
import type { Outcome } from './attempt.ts';
import { DUE_AT_ONCE } from './outbox.ts';
import { lockServicingEvents, releaseNextServicingEvent } from './servicing-store.ts';
import {
  type AttemptResult,
  type ClaimedDelivery,
  failingWebhooks,
  insertAttempts,
  saveAttemptResult,
  type StoredDelivery,
} from './store.ts';

export interface Claim {
  /** Channels with a sender. */
  channels: readonly Channel[];
  /** Limits of the claim, and of deliveries in flight per endpoint and per merchant. */
  limit: number;
  limitPerEndpoint: number;
  limitPerMerchant: number;
  /** Deliveries in flight by endpoint and by merchant id. */
  inFlightCounts: ReadonlyMap<string, number>;
  /** Endpoints without attempts until a time: their due deliveries are postponed to it. */
  postponedUntil?: ReadonlyMap<string, Instant>;
  /** Endpoints with one attempt at a time. */
  probed?: ReadonlySet<string>;
  /** Called with each postponed endpoint that has recovered, in another process, or was enabled. Its deliveries are not postponed. */
  onRecovered?: (endpoint: string) => void;
}

/** Postponements in one claim. The next claim continues. */
const MAX_POSTPONEMENTS = 10;

/**
 * Claims due notifications, so that no other process sends them before `leaseUntil`. If this process crashes, they are due again
 * then. Stays within the limits per endpoint and per merchant.
 */
export async function claimDue(tx: Tx, claim: Claim, now: Instant, leaseUntil: Instant): Promise<StoredDelivery[]> {
  const { channels, limit, limitPerEndpoint, limitPerMerchant, inFlightCounts } = claim;
  const { probed = new Set<string>(), onRecovered } = claim;
  const limitOf = (endpoint: string) => (probed.has(endpoint) ? 1 : limitPerEndpoint);
  const full = (most: number) => [...inFlightCounts].filter(([, count]) => count >= most).map(([name]) => name);

  const postponedUntil = new Map(claim.postponedUntil);
  let due = tx.selectFrom('outbox').select(['id', 'endpoint', 'merchantId', 'dueAt']).where(isDue(channels, now));
  const [fullEndpoints, fullMerchants] = [full(limitPerEndpoint), full(limitPerMerchant)];
  if (fullEndpoints.length > 0) due = due.where('endpoint', 'not in', fullEndpoints);
  // An endpoint with one attempt at a time gets no other one, unless a person requested it.
  const inProbe = [...probed].filter((endpoint) => inFlightCounts.has(endpoint));
  if (inProbe.length > 0) due = due.where((row) => row.or([row('dueAt', '=', DUE_AT_ONCE), row('endpoint', 'not in', inProbe)]));
  if (fullMerchants.length > 0) due = due.where('merchantId', 'not in', fullMerchants);
  const next = due.orderBy('dueAt').orderBy('id').limit(limit);
  // On PostgreSQL, processes share the outbox and skip rows that another is claiming.
  const read = () => (engineOf(tx) === 'postgres' ? next.forUpdate().skipLocked() : next).execute();
  let available = await read();
  for (let count = 0; count < MAX_POSTPONEMENTS && (await postpone(tx, available, postponedUntil)); count += 1) {
    available = await read();
  }
  for (const endpoint of claim.postponedUntil?.keys() ?? []) if (!postponedUntil.has(endpoint)) onRecovered?.(endpoint);

  const counts = new Map(inFlightCounts);
  const counted = (name: string) => (counts.get(name) ?? 0) + 1;
  const selected = available.filter(({ endpoint, merchantId, dueAt }) => {
    // A delivery that a person requested is attempted even if its endpoint is postponed or probed.
    const isRequested = dueAt === DUE_AT_ONCE;
    if (!isRequested && (postponedUntil.has(endpoint) || counted(endpoint) > limitOf(endpoint))) return false;
    if (counted(endpoint) > limitPerEndpoint || counted(merchantId) > limitPerMerchant) return false;
    for (const name of [endpoint, merchantId]) counts.set(name, counted(name));
    return true;
  });
  if (selected.length === 0) return [];
  const claimed = await tx
    .updateTable('outbox')
    .set((row) => ({
      dueAt: leaseUntil,
      attempts: row('attempts', '+', 1),
      beganAt: row.fn.coalesce('beganAt', row.val(now)),
    }))
    .where(
      'id',
      'in',
      selected.map(({ id }) => id),
    )
    .returningAll()
    .execute();
  await insertAttempts(tx, claimed, now);
  return claimed;
}

/**
 * Postpones the deliveries of endpoints without attempts, and removes those that have recovered from `postponedUntil`. Returns false if
 * nothing was postponed.
 */
async function postpone(
  tx: Tx,
  rows: readonly Pick<StoredDelivery, 'id' | 'endpoint' | 'dueAt'>[],
  postponedUntil: Map<string, Instant>,
): Promise<boolean> {
  const waiting = rows.filter(({ endpoint, dueAt }) => postponedUntil.has(endpoint) && dueAt !== DUE_AT_ONCE);
  if (waiting.length === 0) return false;
  const endpoints = [...new Set(waiting.map(({ endpoint }) => endpoint))];
  const failing = await failingWebhooks(tx, endpoints);
  for (const endpoint of endpoints) {
    const dueAt = postponedUntil.get(endpoint)!;
    const ids = waiting.filter((row) => row.endpoint === endpoint).map(({ id }) => id);
    if (!failing.has(endpoint)) postponedUntil.delete(endpoint);
    else await tx.updateTable('outbox').set({ dueAt }).where('id', 'in', ids).execute();
  }
  return failing.size > 0;
}

/** Returns a function that returns true if anything is due. Cheaper than a claim, which starts a database transaction. */
export function lookForDue(channels: readonly Channel[]): (query: Query, now: Instant) => Promise<boolean> {
  const due = prepared((query, now: Instant) => query.selectFrom('outbox').select('id').where(isDue(channels, now)).limit(1));
  return async (query, now) => (await due(query, now)).length > 0;
}

function isDue(channels: readonly Channel[], now: Instant) {
  return (row: ExpressionBuilder<Schema, 'outbox'>) => row.and([row('dueAt', '<=', now), row('channel', 'in', channels)]);
}

/** The end of a claimed attempt. */
export interface EndedAttempt {
  row: ClaimedDelivery;
  result: AttemptResult;
  endedAt: Instant;
  /** Time of the next attempt after a failure; null for no further attempt. */
  retryAt: Instant | null;
  saveWith?: Outcome['saveWith'];
}

/**
 * Saves the result of an attempt. A redelivery that was scheduled in the meantime still takes place. A failure that ends after its lease
 * does not change the schedule: a delivered notification stays delivered, and the latest attempt decides.
 */
export async function saveResult(tx: Tx, { row, result, endedAt, retryAt, saveWith }: EndedAttempt): Promise<void> {
  const save = () => (result.failure === '' ? saveSuccess(tx, row, result, endedAt) : saveFailure(tx, row, result, retryAt));
  await (saveWith ? saveWith(tx, save, retryAt === null) : save());
}

const updateDelivered = prepared((tx, id: string, replayedAfter: number, deliveredAt: Instant) =>
  tx
    .updateTable('outbox')
    .set({ dueAt: null, deliveredAt, lastFailure: '' })
    .where('id', '=', id)
    .where('replayedAfter', '=', replayedAfter)
    .returning('id'),
);

async function saveSuccess(tx: Tx, row: ClaimedDelivery, result: AttemptResult, now: Instant): Promise<boolean> {
  if (row.sequence !== null) await lockServicingEvents(tx, row.applicationId);
  await saveAttemptResult(tx, row, result);
  const isSaved = (await updateDelivered(tx, row.id, row.replayedAfter, now)).length > 0;
  if (isSaved && row.sequence !== null) await releaseNextServicingEvent(tx, row.applicationId);
  return isSaved;
}

async function saveFailure(tx: Tx, row: ClaimedDelivery, result: AttemptResult, dueAt: Instant | null): Promise<boolean> {
  await saveAttemptResult(tx, row, result);
  const { numUpdatedRows } = await tx
    .updateTable('outbox')
    .set({ dueAt, lastFailure: result.failure })
    .where('id', '=', row.id)
    .where('attempts', '=', row.attempts)
    .where('replayedAfter', '=', row.replayedAfter)
    .where('deliveredAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
