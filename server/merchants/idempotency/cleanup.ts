import type { Database } from '../../db/database.ts';
import { type Job, startJob } from '../../base/job.ts';
import type { Clock, Instant } from '../../base/time.ts';
import { expiredKeys, deleteFinishedWrites, deleteExpiredKey } from './store.ts';

/** Number of keys that are deleted in one database transaction. */
const BATCH_SIZE = 100;

const INTERVAL_MS = 300_000;

/** Starts the job that deletes expired keys. `clock` is the machine's, because a merchant can move that of the sandbox. */
export function startKeyCleanup(database: Database, clock: Clock, onError: (thrown: unknown) => void): Job {
  return startJob(INTERVAL_MS, (isRunning) => deleteExpiredKeys(database, clock.now(), isRunning), onError);
}

/**
 * Deletes keys that have expired, and the results of the writes of requests whose response is stored: only a retry after a crash needs them.
 *
 * @returns The number of deleted keys.
 */
export async function deleteExpiredKeys(
  database: Database,
  now: Instant,
  isRunning: () => boolean = () => true,
): Promise<number> {
  await database.write(deleteFinishedWrites);
  let count = 0;
  let deletedInBatch: number;
  do {
    const refs = await expiredKeys(database.query, now, BATCH_SIZE);
    deletedInBatch = await database.write(async (tx) => {
      let deleted = 0;
      for (const ref of refs) if (await deleteExpiredKey(tx, ref, now)) deleted += 1;
      return deleted;
    });
    count += deletedInBatch;
    // Stop if no key could be deleted, because the same keys would be found again forever.
  } while (deletedInBatch > 0 && isRunning());
  return count;
}
