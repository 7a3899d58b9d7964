import { setTimeout as delay } from 'node:timers/promises';
import { keysOf } from '../../shared/objects.ts';
import { type Database, together } from '../db/database.ts';
import { openRows } from '../db/sealed.ts';
import type { Channel } from '../db/schema.ts';
import { type Clock, DAY_MS, epochMs, HOUR_MS, type Instant, MINUTE_MS, plusMs } from '../base/time.ts';
import type { Outcome, Send } from './attempt.ts';
import { CircuitBreakers } from './circuit-breaker.ts';
import { claimDue, type EndedAttempt, lookForDue, saveResult } from './claim-store.ts';
import { openDelivery, type OutboxEntry, type StoredDelivery } from './store.ts';

export interface Delivery {
  /** Looks for due notifications now instead of at the next poll. */
  wake(): void;
  /** Resolves when the attempts in progress have ended. */
  stop(): Promise<void>;
}

/** A failed attempt, for the log: without addresses, personal data and text from the receiver. */
export interface FailedDelivery {
  deliveryId: string;
  merchantId: string;
  channel: Channel;
  attempt: number;
  statusCode: number | null;
  failure: string;
  /** Time of the next attempt; null after the last one. */
  retryAt: Instant | null;
}

export interface DeliveryOptions {
  database: Database;
  clock: Clock;
  /** Senders by channel. Notifications of other channels wait for a process that has their sender. */
  senders: Partial<Record<Channel, Send>>;
  onFailedAttempt?: (attempt: FailedDelivery) => void;
  onError: (thrown: unknown) => void;
  /** Enqueues what is to be delivered. Called before each look for due notifications. */
  enqueue?: () => Promise<void>;
  /** Polling interval when nothing is due. */
  pollMs?: number;
}

/** Time between two looks for due notifications: those that become due meanwhile are claimed by one. */
const ROUND_MS = 20;

/** Lease of a claimed notification; longer than any attempt takes. */
const LEASE_MS = 60_000;

// Limits of concurrent deliveries, so that a slow endpoint does not delay others.
const MAX_IN_FLIGHT = 256;
const MAX_IN_FLIGHT_PER_ENDPOINT = 8;
const MAX_IN_FLIGHT_PER_MERCHANT = 32;

/**
 * Delivers the notifications of the outbox, each at least once, until `stop`.
 *
 * The attempts of a process that crashes are repeated after the lease. Holds no lock during an attempt, because receivers call the
 * service before they respond.
 */
export function startDelivery(options: DeliveryOptions): Delivery {
  const { database, clock, senders, onError, enqueue, pollMs = 500 } = options;
  const channels = keysOf(senders);
  const hasDue = lookForDue(channels);
  const inFlight = new Map<StoredDelivery, Promise<void>>();
  /** Of webhooks. */
  const circuits = new CircuitBreakers();
  let pause = new AbortController();
  const stopping = new AbortController();

  /** Attempts whose results are not saved yet. */
  let ended: EndedAttempt[] = [];

  /**
   * Saves the results of ended attempts and claims due notifications, both in one database transaction, and starts these. Returns true if
   * there may be more to start immediately.
   */
  async function nextRound(): Promise<boolean> {
    // A failure delays only what was not enqueued.
    if (!stopping.signal.aborted) await enqueue?.().catch(onError);
    const now = clock.now();
    const results = ended;
    const free = MAX_IN_FLIGHT - inFlight.size;
    const isDue = free > 0 && (results.length > 0 || (await hasDue(database.query, now))) && !stopping.signal.aborted;
    if (results.length === 0 && !isDue) return false;
    ended = [];
    // At most half of the free slots, and an eighth for each merchant, so that slow receivers leave slots for others.
    const claim = {
      channels,
      limit: Math.ceil(free / 2),
      limitPerEndpoint: MAX_IN_FLIGHT_PER_ENDPOINT,
      limitPerMerchant: Math.max(1, Math.min(MAX_IN_FLIGHT_PER_MERCHANT, Math.floor(free / 8))),
      inFlightCounts: countsOf(inFlight.keys()),
      ...circuits.broken(now),
      onRecovered: (endpoint: string) => circuits.close(endpoint),
    };
    const rows = await database.write(async (tx) => {
      await together(...results.map((result) => saveResult(tx, result)));
      return isDue ? claimDue(tx, claim, now, plusMs(now, LEASE_MS)) : [];
    });
    for (const row of rows) inFlight.set(row, deliver(row));
    return rows.length > 0;
  }

  async function deliver(row: StoredDelivery): Promise<void> {
    try {
      const result = await attempt(row, options, circuits);
      if (result) ended.push(result);
    } catch (thrown) {
      onError(thrown);
    } finally {
      inFlight.delete(row);
      wake();
    }
  }

  function wake(): void {
    pause.abort();
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      pause = new AbortController();
      const hasMore = await nextRound().catch(onError);
      // `wake` and `stop` abort the pauses.
      if (!hasMore) await delay(pollMs, undefined, { signal: pause.signal }).catch(() => undefined);
      await delay(ROUND_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  return {
    wake,
    stop: async () => {
      stopping.abort();
      wake();
      await running;
      await Promise.all(inFlight.values());
      await nextRound().catch(onError);
    },
  };
}

/** Returns the numbers of deliveries by endpoint and by merchant id. */
function countsOf(rows: Iterable<StoredDelivery>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { endpoint, merchantId } of rows) {
    for (const name of [endpoint, merchantId]) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Makes an attempt. Saves a result that other rows depend on, and returns any other, to be saved with those of other attempts. */
async function attempt(
  stored: StoredDelivery,
  { database, clock, senders, onFailedAttempt }: DeliveryOptions,
  circuits: CircuitBreakers,
): Promise<EndedAttempt | undefined> {
  const startedAt = performance.now();
  const [row] = await openRows(database.query, [stored], (each) => openDelivery(database.query, each));
  if (!row) {
    const result = { durationMs: 0, statusCode: null, failure: 'The stored row is damaged' };
    return { row: stored, result, endedAt: clock.now(), retryAt: null };
  }
  const outcome = await senders[row.channel]!(row);
  const { statusCode, failure, saveWith } = outcome;
  const endedAt = clock.now();
  const retryAt = failure === '' ? null : nextDueAt(row, outcome, endedAt);
  if (failure !== '') {
    const { id: deliveryId, merchantId, channel, attempts } = row;
    onFailedAttempt?.({ deliveryId, merchantId, channel, attempt: attempts, statusCode, failure, retryAt });
  }
  const result = { durationMs: Math.round(performance.now() - startedAt), statusCode, failure };
  const ended: EndedAttempt = { row, result, endedAt, retryAt, saveWith };
  if (saveWith) await database.write((tx) => saveResult(tx, ended));
  // After the webhook was saved as failing, because the circuit of one that is not is closed.
  if (row.channel === 'webhook' && !outcome.isPermanent) circuits.count(row.endpoint, failure === '', endedAt);
  return saveWith ? undefined : ended;
}

/** Returns the time of the next attempt, or null if it is not retried. A redelivered notification restarts its retry schedule. */
function nextDueAt(row: OutboxEntry, { isPermanent, retryAfterMs, maxWaitMs }: Outcome, now: Instant): Instant | null {
  if (isPermanent) return null;
  const sinceFirstMs = epochMs(now) - epochMs(row.beganAt ?? now);
  const retryAfter = retryAfterMs === undefined ? undefined : { retryAfterMs, sinceFirstMs };
  const waitMs = retryWaitMs(row.channel, row.attempts - row.replayedAfter, Math.random(), retryAfter);
  if (maxWaitMs !== undefined) return plusMs(now, Math.min(waitMs ?? maxWaitMs, maxWaitMs));
  return waitMs === undefined ? null : plusMs(now, waitMs);
}

const SECOND_MS = 1_000;

/** Waits after the first, second, … failed attempt: ten attempts over slightly more than three days. */
const retryWaitsMs: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
];

/**
 * Waits of an event for the lender, which must not be lost: the waits of the first two days, and then once a day for 30 days in all.
 */
const lenderRetryWaitsMs: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  15 * HOUR_MS,
  ...Array<number>(29).fill(DAY_MS),
];

/** Returns the waits between the attempts of a channel. */
export function retryWaitsOf(channel: Channel): readonly number[] {
  return channel === 'lender' ? lenderRetryWaitsMs : retryWaitsMs;
}

/** The time after the first attempt to which `Retry-After` can postpone a retry at most. */
const MAX_POSTPONED_MS = 72 * HOUR_MS;

/** A receiver's `Retry-After`. */
export interface RetryAfter {
  retryAfterMs: number;
  /** Time since the first attempt. */
  sinceFirstMs: number;
}

/**
 * Returns the wait before the next attempt, or undefined if no attempt is left.
 *
 * @param attempts - Failed attempts so far, at least 1.
 * @param random - From 0 to 1. Adds jitter of 10 %, so that a receiver that recovers does not get all retries at once.
 * @param retryAfter - Extends the wait, at most until three days after the first attempt.
 */
export function retryWaitMs(channel: Channel, attempts: number, random: number, retryAfter?: RetryAfter): number | undefined {
  const waitMs = retryWaitsOf(channel)[attempts - 1];
  if (waitMs === undefined) return undefined;
  const jitteredMs = Math.round(waitMs * (0.9 + 0.2 * random));
  if (!retryAfter) return jitteredMs;
  return Math.max(jitteredMs, Math.min(retryAfter.retryAfterMs, MAX_POSTPONED_MS - retryAfter.sinceFirstMs));
}
