import type { Database } from '../db/database.ts';
import { everyWhile, type Periodic } from '../periodic.ts';
import type { Clock } from '../time.ts';
import { expireLapsed } from './expire.ts';
import type { Lifetimes } from './lifecycle.ts';

export interface SweepOptions {
  database: Database;
  clock: Clock;
  lifetimes: Lifetimes;
  /** Told of what went wrong, and with which transaction when it was about one. */
  onError: (thrown: unknown, transactionId?: string) => void;
  /** Pause between two sweeps. */
  everyMs?: number;
}

const FIVE_MINUTES_MS = 300_000;

/** Expires what has lapsed, at once and then every few minutes, until `stop`, which ends after what is under way. */
export function startSweep({ database, clock, lifetimes, onError, everyMs = FIVE_MINUTES_MS }: SweepOptions): Periodic {
  return everyWhile(everyMs, (mayGoOn) => expireLapsed({ database, lifetimes, now: clock.now(), onError, mayGoOn }), onError);
}
