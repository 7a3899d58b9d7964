import type { Database, Query, Tx } from '../../db/database.ts';
import { isConflict } from '../../base/errors.ts';
import { type Job, startJob } from '../../base/job.ts';
import type { Clock, Instant } from '../../base/time.ts';
import { EXPIRABLE, hasExpired, expiryCutoff, type Lifetimes, transactionStatusAfter, transactionAt } from './lifecycle.ts';
import type { LoanEmailOptions } from './loan-email.ts';
import { saveChange } from './save-change.ts';
import {
  getTransaction,
  listInStatusSince,
  lockTransaction,
  type TransactionInStatus,
  type TransactionRef,
  type Transaction,
} from './store.ts';

/** Transactions that the job reads at a time. */
const BATCH = 100;

/** Returns a transaction as `transactionAt` does. @throws ServiceError `transaction-not-found` */
export async function readTransactionAt(
  query: Query,
  lifetimes: Lifetimes,
  { merchantId, id }: TransactionRef,
  now: Instant,
): Promise<Transaction> {
  return transactionAt(await getTransaction(query, merchantId, id), lifetimes, now);
}

/**
 * Locks the transaction for a change. If it is past its lifetime, saves its expiry first. If the change is then rejected, the expiry
 * is rolled back too, and the job saves it later.
 *
 * @throws ServiceError `transaction-not-found`
 */
export async function lockTransactionAt(
  tx: Tx,
  { lifetimes, loanEmails }: ExpiryRules,
  { merchantId, id }: TransactionRef,
  now: Instant,
): Promise<Transaction> {
  const row = await lockTransaction(tx, merchantId, id);
  return hasExpired(row, lifetimes, now) ? saveExpired(tx, row, loanEmails, now) : row;
}

/** The lifetimes of transactions, and the options of the e-mails about their expiry; without options, none is sent. */
export interface ExpiryRules {
  lifetimes: Lifetimes;
  loanEmails?: LoanEmailOptions | undefined;
}

function saveExpired(tx: Tx, row: Transaction, loanEmails: LoanEmailOptions | undefined, now: Instant): Promise<Transaction> {
  const after = { ...row, status: transactionStatusAfter('expire', row.status, row.adjustedTotalCents), statusSince: now };
  const reason = row.status === 'AUTHORIZED' ? 'not-settled-in-time' : 'not-authorized-in-time';
  const event = { type: 'expired', amountCents: row.adjustedTotalCents, actor: 'system', reason, at: now } as const;
  return saveChange(tx, row, after, event, loanEmails);
}

export interface Expiry extends ExpiryRules {
  database: Database;
  now: Instant;
  /** Receives the error if a transaction cannot be expired. The job continues with the others. */
  onError: (thrown: unknown, transactionId: string) => void;
  /** Checked before each transaction. If it returns false, this run stops; the next run continues. */
  isRunning?: () => boolean;
}

/**
 * Expires every transaction that is past its lifetime. Writes each one separately, so that other writes are not delayed.
 *
 * @returns Number of transactions that this run expired.
 */
export async function expireTransactions({
  database,
  lifetimes,
  loanEmails,
  now,
  onError,
  isRunning = () => true,
}: Expiry): Promise<number> {
  let count = 0;
  for (const status of EXPIRABLE) {
    const since = expiryCutoff(status, lifetimes, now);
    let batch: TransactionInStatus[] = [];
    do {
      batch = await listInStatusSince(database.query, status, since, batch.at(-1), BATCH);
      for (const { id, merchantId } of batch) {
        if (!isRunning()) return count;
        try {
          if (await expire(database, { lifetimes, loanEmails }, { merchantId, id }, now)) count += 1;
        } catch (thrown) {
          onError(thrown, id);
        }
      }
    } while (batch.length === BATCH);
  }
  return count;
}

/** Returns false after a concurrent change. The next run of the job checks the transaction again. */
async function expire(
  database: Database,
  { lifetimes, loanEmails }: ExpiryRules,
  { merchantId, id }: TransactionRef,
  now: Instant,
): Promise<boolean> {
  try {
    return await database.write(async (tx) => {
      const row = await lockTransaction(tx, merchantId, id);
      if (!hasExpired(row, lifetimes, now)) return false;
      await saveExpired(tx, row, loanEmails, now);
      return true;
    });
  } catch (thrown) {
    if (isConflict(thrown)) return false;
    throw thrown;
  }
}

export interface ExpiryJobOptions extends ExpiryRules {
  database: Database;
  clock: Clock;
  /** Receives errors, with the id of the transaction if the error is about one. */
  onError: (thrown: unknown, transactionId?: string) => void;
  intervalMs?: number;
}

const INTERVAL_MS = 300_000;

/** Starts the job that expires transactions. It runs immediately, and then every `intervalMs`. */
export function startExpiryJob({ clock, onError, intervalMs = INTERVAL_MS, ...rules }: ExpiryJobOptions): Job {
  return startJob(intervalMs, (isRunning) => expireTransactions({ ...rules, now: clock.now(), onError, isRunning }), onError);
}
