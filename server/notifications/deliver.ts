import type { Database } from '../db/database.ts';
import type { Channel } from '../db/schema.ts';
import { type Clock, epochMs, type Instant, plusMs } from '../time.ts';
import { claimDue, hasDue, noteDelivered, noteFailed } from './outbox.ts';
import type { Outcome, Send } from './outcome.ts';
import { retryWaitMs } from './retries.ts';
import type { OutboxRow } from './store.ts';

export interface Delivery {
  /** Says that something may be due, so that it leaves at once and not at the next look. */
  wake(): void;
  /** Ends after what is under way has been answered. */
  stop(): Promise<void>;
}

export interface DeliveryOptions {
  database: Database;
  clock: Clock;
  /** Senders by channel. Notifications of other channels wait for a process that has their sender. */
  senders: Partial<Record<Channel, Send>>;
  onError: (thrown: unknown) => void;
  /** Polling interval when nothing is due. */
  pollMs?: number;
  /** Lease of a claimed notification; longer than any attempt takes. */
  leaseMs?: number;
}

/** Limits of concurrent deliveries: in total, per endpoint and per merchant, so that a slow endpoint does not delay others. */
const MAX_IN_FLIGHT = 256;
const MAX_IN_FLIGHT_PER_ENDPOINT = 8;
const MAX_IN_FLIGHT_PER_MERCHANT = 32;

/**
 * Sends what is in the outbox, each at least once, until `stop`.
 *
 * The attempts of a process that dies are made again after the lease. No lock is held while an attempt is under way,
 * because receivers call back into the service before they answer.
 */
export function startDelivery({ database, clock, senders, onError, pollMs = 500, leaseMs = 60_000 }: DeliveryOptions): Delivery {
  const channels = Object.keys(senders) as Channel[];
  const inFlight = new Set<Promise<void>>();
  const underWay = new Map<string, number>();
  const stopping = new AbortController();
  let wakeUp: () => void = () => undefined;
  let wakened = false;

  async function attempt(row: OutboxRow): Promise<void> {
    const startedAt = performance.now();
    const outcome = await senders[row.channel]!(row);
    const { statusCode, failure } = outcome;
    const ended = { durationMs: Math.round(performance.now() - startedAt), statusCode, failure };
    const now = clock.now();
    if (failure === '') return noteDelivered(database, row, ended, now);
    return noteFailed(database, row, ended, nextDueAt(row, outcome, now));
  }

  /** Starts what is due and finds a place. True when there may be more to start at once. */
  async function takeDue(): Promise<boolean> {
    const free = MAX_IN_FLIGHT - inFlight.size;
    const now = clock.now();
    if (free < 1 || !(await hasDue(database.query, channels, now)) || stopping.signal.aborted) return false;
    // Half of what is free at a time, and an eighth to a merchant: many that hang leave room for one that does not.
    const claim = {
      channels,
      limit: Math.ceil(free / 2),
      limitPerEndpoint: MAX_IN_FLIGHT_PER_ENDPOINT,
      limitPerMerchant: Math.max(1, Math.min(MAX_IN_FLIGHT_PER_MERCHANT, Math.floor(free / 8))),
      underWay,
    };
    const rows = await claimDue(database, claim, now, plusMs(now, leaseMs));
    for (const row of rows) {
      count(row, 1);
      const attempted: Promise<void> = attempt(row)
        .catch(onError)
        .finally(() => {
          inFlight.delete(attempted);
          count(row, -1);
          wake();
        });
      inFlight.add(attempted);
    }
    return rows.length > 0;
  }

  function count({ endpoint, merchant_id }: OutboxRow, change: 1 | -1): void {
    for (const name of [endpoint, merchant_id]) {
      const left = (underWay.get(name) ?? 0) + change;
      if (left > 0) underWay.set(name, left);
      else underWay.delete(name);
    }
  }

  function wake(): void {
    wakened = true;
    wakeUp();
  }

  async function pause(): Promise<void> {
    if (!wakened) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
        timer = setTimeout(resolve, pollMs);
      });
      clearTimeout(timer);
    }
    wakened = false;
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      const mayBeMore = await takeDue().catch(onError);
      if (!mayBeMore) await pause();
    }
  })();

  return {
    wake,
    stop: async () => {
      stopping.abort();
      wake();
      await running;
      await Promise.all(inFlight);
    },
  };
}

/** When what has failed is tried again; null for never. A replayed notification begins its schedule anew. */
function nextDueAt(row: OutboxRow, { isFinal, retryAfterMs }: Outcome, now: Instant): Instant | null {
  if (isFinal) return null;
  const sinceFirstMs = epochMs(now) - epochMs(row.began_at ?? now);
  const request = retryAfterMs === undefined ? undefined : { retryAfterMs, sinceFirstMs };
  const waitMs = retryWaitMs(row.attempts - row.replayed_after, Math.random(), request);
  return waitMs === undefined ? null : plusMs(now, waitMs);
}
