import { lockCartById } from '../../purchases/carts/store.ts';
import { LOAN_DAYS, type Retention } from '../../base/config/retention.ts';
import type { Database, Tx } from '../../db/database.ts';
import { type Job, startJob } from '../../base/job.ts';
import { type Clock, DAY_MS, type Instant, plusMs, dateIn, lastUsDate } from '../../base/time.ts';
import { DOCUMENT_DAYS, deleteCartContacts, pseudonymize } from './pseudonymize.ts';
import { REQUEST_DAYS } from '../../merchants/requests/store.ts';
import {
  type AgingTable,
  deleteDocuments,
  deleteMessages,
  deleteRows,
  applicationsToPseudonymize,
  dueCarts,
  dueDocuments,
  dueMessages,
  duePurchases,
  dueRows,
} from './store.ts';
import { EVENT_DAYS } from '../../messages/webhooks/events.ts';

/** Rows that are read at a time. Each application and cart has its own database transaction. */
const BATCH_SIZE = 100;

const INTERVAL_MS = 3_600_000;

export interface RetentionSweep {
  database: Database;
  /** Not the sandbox's: merchants can move it, and would delete the data of others. */
  realClock: Clock;
  retention: Retention;
  /** Called with each error. The sweep continues with the next row. */
  onError: (thrown: unknown) => void;
}

/** Starts the job that deletes personal data after its retention period, at once and then every hour. */
export function startRetentionSweep(sweep: RetentionSweep): Job {
  return startJob(INTERVAL_MS, (isRunning) => sweepOnce(sweep, isRunning), sweep.onError);
}

/** Deletes everything that is due, in small batches. Returns the numbers of deleted rows, and of rows whose personal data was deleted. */
export async function sweepOnce(
  { database, realClock, retention, onError }: RetentionSweep,
  isRunning: () => boolean = () => true,
) {
  const { query } = database;
  const now = realClock.now();
  const before = (days: number): Instant => plusMs(now, -days * DAY_MS);

  /** Returns the number of rows for which `work` succeeded. Stops after a batch in which it always failed. */
  const sweep = async <T>(due: () => Promise<T[]>, work: (row: T) => Promise<unknown>): Promise<number> => {
    let count = 0;
    for (;;) {
      let succeeded = 0;
      const batch = await due();
      // One after the other, so that a sweep does not delay requests.
      for (const row of batch) {
        if (!isRunning()) return count + succeeded;
        try {
          await work(row);
          succeeded += 1;
        } catch (thrown) {
          onError(thrown);
        }
      }
      count += succeeded;
      if (succeeded === 0 || batch.length < BATCH_SIZE) return count;
    }
  };
  /** The same for rows that are deleted together. */
  const deleteDue = async (
    due: () => Promise<string[]>,
    remove: (tx: Tx, ids: string[]) => Promise<unknown>,
  ): Promise<number> => {
    let count = 0;
    try {
      for (let ids = await due(); ids.length > 0 && isRunning(); ids = await due()) {
        const batch = ids;
        await database.write((tx) => remove(tx, batch));
        count += batch.length;
        if (batch.length < BATCH_SIZE) break;
      }
    } catch (thrown) {
      onError(thrown);
    }
    return count;
  };
  const deleteOld = (table: AgingTable, days: number): Promise<number> =>
    deleteDue(
      () => dueRows(query, table, before(days), BATCH_SIZE),
      (tx, ids) => deleteRows(tx, table, ids),
    );
  const deleteContacts = (id: string) => database.write(async (tx) => deleteCartContacts(tx, await lockCartById(tx, id), now));

  const swept = {
    applications: await sweep(
      () => applicationsToPseudonymize(query, before(retention.applicationDays), BATCH_SIZE),
      (ref) => pseudonymize(database, ref, now),
    ),
    purchases: await sweep(
      // A purchase has the notices of a decision, too.
      () => {
        const finalBefore = before(Math.max(retention.purchaseDays, retention.applicationDays));
        return duePurchases(query, finalBefore, lastUsDate(before(LOAN_DAYS)), before(retention.applicationDays), BATCH_SIZE);
      },
      (ref) => pseudonymize(database, ref, now),
    ),
    documents: await deleteDue(() => dueDocuments(query, before(DOCUMENT_DAYS), BATCH_SIZE), deleteDocuments),
    carts: await sweep(() => dueCarts(query, dateIn(before(retention.cartContactDays), 'UTC'), BATCH_SIZE), deleteContacts),
    messages: await deleteDue(() => dueMessages(query, before(retention.messageDays), BATCH_SIZE), deleteMessages),
    lenderCalls: await deleteOld('lender_calls', retention.messageDays),
    merchantRequests: await deleteOld('merchant_requests', REQUEST_DAYS),
    events: await deleteOld('events', EVENT_DAYS),
    securityEvents: await deleteOld('security_events', retention.securityEventDays),
  };
  // SQLite's write-ahead log still has what was deleted.
  if (Object.values(swept).some((count) => count > 0)) await database.truncateLog();
  return swept;
}
