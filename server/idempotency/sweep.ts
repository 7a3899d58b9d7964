import type { Database } from '../db/database.ts';
import { type Job, startJob } from '../job.ts';
import type { Clock, Instant } from '../time.ts';
import { expiredKeys, forgetAnsweredWrites, removeExpired } from './store.ts';

/** How many are forgotten in one database transaction. */
const BATCH = 100;

const INTERVAL_MS = 300_000;

/** Deletes expired keys at once and then every few minutes, until `stop`. `clock` is the machine's, as for `once`. */
export function startIdempotencySweep(
  database: Database,
  clock: Clock,
  onError: (thrown: unknown) => void,
  intervalMs = INTERVAL_MS,
): Job {
  return startJob(intervalMs, (isRunning) => forgetExpired(database, clock.now(), isRunning), onError);
}

/**
 * Deletes keys that have expired, and the stored writes of requests whose response is stored.
 *
 * @returns How many keys were deleted.
 */
export async function forgetExpired(database: Database, now: Instant, isRunning: () => boolean = () => true): Promise<number> {
  await database.write(forgetAnsweredWrites);
  let count = 0;
  let removed: number;
  do {
    const names = await expiredKeys(database.query, now, BATCH);
    removed = await database.write(async (tx) => {
      let gone = 0;
      for (const name of names) if (await removeExpired(tx, name, now)) gone += 1;
      return gone;
    });
    count += removed;
    // A batch of which none could be removed would be found again, and again.
  } while (removed > 0 && isRunning());
  return count;
}
