import type { Database } from '../db/database.ts';
import { type Clock, plusMs } from '../time.ts';
import { claimDue, hasDue, noteDelivered, noteFailed, type OutboxRow } from './outbox.ts';
import { retryWaitMs } from './retries.ts';
import type { Send } from './send.ts';

export interface Delivery {
  /** Says that something may be due, so that it leaves at once and not at the next look. */
  wake(): void;
  /** Ends after what is under way has been answered. */
  stop(): Promise<void>;
}

export interface DeliveryOptions {
  database: Database;
  clock: Clock;
  send: Send;
  onError: (thrown: unknown) => void;
  /** Pause between two looks when nothing is due. */
  pollMs?: number;
  /** How long a claimed notification is ours; longer than any attempt takes. */
  leaseMs?: number;
}

/** Notifications under way at once. */
const MAX_IN_FLIGHT = 64;

/**
 * Sends what is in the outbox, each at least once, until `stop`.
 *
 * The attempts of a process that dies are made again after the lease. No lock is held while an attempt is under way,
 * because receivers call back into the service before they answer.
 */
export function startDelivery({ database, clock, send, onError, pollMs = 500, leaseMs = 60_000 }: DeliveryOptions): Delivery {
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  let wakeUp: () => void = () => undefined;
  let wakened = false;

  async function attempt(row: OutboxRow): Promise<void> {
    const failure = await send(row.url, row.body);
    const now = clock.now();
    if (failure === undefined) return noteDelivered(database, row.id, now);
    const waitMs = retryWaitMs(row.attempts, Math.random());
    return noteFailed(database, row.id, failure, waitMs === undefined ? null : plusMs(now, waitMs));
  }

  async function takeDue(): Promise<void> {
    const free = MAX_IN_FLIGHT - inFlight.size;
    const now = clock.now();
    if (free < 1 || !(await hasDue(database.query, now))) return;
    for (const row of await claimDue(database, free, now, plusMs(now, leaseMs))) {
      const attempted: Promise<void> = attempt(row)
        .catch(onError)
        .finally(() => {
          inFlight.delete(attempted);
          wake();
        });
      inFlight.add(attempted);
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
      await takeDue().catch(onError);
      await pause();
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
