import type { Database } from '../../db/database.ts';
import { type Job, startJob } from '../../base/job.ts';
import { deleteMessageCounts } from '../../messages/store.ts';
import { type Clock, DAY_MS, type Instant, plusMs, dateIn } from '../../base/time.ts';
import { CREATED_BY_PAGE } from './carts.ts';
import { deleteUnusedCart, unusedCarts } from './store.ts';

/** Number of carts that are deleted in one database transaction. */
const BATCH_SIZE = 100;

const INTERVAL_MS = 3_600_000;

export interface CartCleanup {
  database: Database;
  clock: Clock;
  /** Days after its last day for which an unused cart of a page is stored. */
  retentionDays: number;
}

/** Starts the job that deletes unused carts of pages, and the counts of messages of past days. */
export function startCartCleanup({ database, clock, retentionDays }: CartCleanup, onError: (thrown: unknown) => void): Job {
  const run = async (isRunning: () => boolean) => {
    const now = clock.now();
    await database.write((tx) => deleteMessageCounts(tx, dateIn(now, 'UTC')));
    await deleteUnusedCarts(database, retentionDays, now, isRunning);
  };
  return startJob(INTERVAL_MS, run, onError);
}

/**
 * Deletes carts of pages that expired long ago without an application that a lender received, with their applications. Anyone can create
 * such carts and submit their first form (decisions/0025).
 *
 * @returns The number of deleted carts.
 */
export async function deleteUnusedCarts(
  database: Database,
  retentionDays: number,
  now: Instant,
  isRunning: () => boolean = () => true,
): Promise<number> {
  const expiredBefore = dateIn(plusMs(now, -retentionDays * DAY_MS), 'UTC');
  let count = 0;
  let deletedInBatch: number;
  do {
    const ids = await unusedCarts(database.query, CREATED_BY_PAGE, expiredBefore, BATCH_SIZE);
    deletedInBatch = await database.write(async (tx) => {
      let deleted = 0;
      // In the order of ids, so that concurrent runs cannot deadlock.
      for (const id of ids.toSorted()) if (await deleteUnusedCart(tx, id)) deleted += 1;
      return deleted;
    });
    count += deletedInBatch;
  } while (deletedInBatch > 0 && isRunning());
  return count;
}
