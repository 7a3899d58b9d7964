import { type Database, pagesOf } from '../../db/database.ts';
import { isConflict } from '../../base/errors.ts';
import { type Job, startJob } from '../../base/job.ts';
import type { Clock, Instant } from '../../base/time.ts';
import { EXPIRABLE } from './lifecycle.ts';
import { listInStatusSince, type TransactionInStatus } from './store.ts';
import type { Transactions } from './transactions.ts';

/** Transactions that the job reads at a time. */
const BATCH = 100;

export interface Expiry {
  database: Database;
  transactions: Transactions;
  now: Instant;
  /** Receives the error if a transaction cannot be expired. The job continues with the others. */
  onError: (thrown: unknown, transactionId: string) => void;
  /** Checked before each transaction. If it returns false, this run stops; the next run continues. */
  isRunning?: () => boolean;
}

/**
 * Expires every transaction that is past its lifetime. Writes each one separately, so that other writes are not delayed. One that was changed
 * concurrently is left to the next run.
 *
 * @returns Number of transactions that this run expired.
 */
export async function expireTransactions({
  database,
  transactions,
  now,
  onError,
  isRunning = () => true,
}: Expiry): Promise<number> {
  let count = 0;
  for (const status of EXPIRABLE) {
    const since = transactions.expiryCutoff(status, now);
    const due = (after?: TransactionInStatus) => listInStatusSince(database.query, status, since, after, BATCH);
    for await (const batch of pagesOf(BATCH, due)) {
      for (const transaction of batch) {
        if (!isRunning()) return count;
        try {
          if (await transactions.expire(database, transaction, now)) count += 1;
        } catch (thrown) {
          if (!isConflict(thrown)) onError(thrown, transaction.id);
        }
      }
    }
  }
  return count;
}

export interface ExpiryJobOptions extends Omit<Expiry, 'now' | 'isRunning' | 'onError'> {
  clock: Clock;
  /** Receives errors, with the id of the transaction if the error is about one. */
  onError: (thrown: unknown, transactionId?: string) => void;
  intervalMs?: number;
}

const INTERVAL_MS = 300_000;

/** Starts the job that expires transactions. It runs immediately, and then every `intervalMs`. */
export function startExpiryJob({ clock, onError, intervalMs = INTERVAL_MS, ...options }: ExpiryJobOptions): Job {
  return startJob(intervalMs, (isRunning) => expireTransactions({ ...options, now: clock.now(), onError, isRunning }), onError);
}
