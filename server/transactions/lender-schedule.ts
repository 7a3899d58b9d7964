import type { LenderSchedule } from '../lenders/lender.ts';
import type { LenderEvent } from '../lenders/events.ts';
import type { Tx } from '../db/database.ts';
import { listEvents, lockTransaction, saveSealedValues, type JournalEntry } from './store.ts';

/** The changes of money or status. */
const LOAN_CHANGES: readonly JournalEntry['type'][] = ['authorized', 'settled', 'canceled', 'refunded', 'expired'];

/**
 * Saves the schedule with which a lender responded to an event, in the database transaction of the delivery, and before its delivery is
 * locked. A schedule is ignored if the loan has changed after the event: the lender responds to that change, too.
 *
 * @returns A function that saves it, after the delivery was saved.
 */
export async function prepareSchedule(
  tx: Tx,
  merchantId: string,
  event: LenderEvent,
  { payments }: LenderSchedule,
): Promise<() => Promise<void>> {
  if (!('transactionId' in event)) return async () => undefined;
  const { transactionId, revision } = event;
  const row = await lockTransaction(tx, merchantId, transactionId);
  return async () => {
    const journal = await listEvents(tx, transactionId);
    const latest = journal.findLast(({ type }) => LOAN_CHANGES.includes(type));
    if (latest?.sequence !== revision) return;
    await saveSealedValues(tx, { ...row, lenderSchedule: { revision, payments: [...payments] } });
  };
}
