import type { PrepareSchedule } from '../../messages/servicing-sender.ts';
import type { Clock } from '../../base/time.ts';
import { lockTransaction } from './store.ts';
import type { Transactions } from './transactions.ts';

/**
 * Returns a function that saves the schedule with which a lender responded to an event, in the database transaction of the delivery, and
 * e-mails it to the buyer if it has other payments than the buyer knows. It is not used if the loan has changed after the event, because the
 * lender responds to that change, too: see `loanAfter`.
 *
 * @param clock - The clock of purchases.
 */
export function savingSchedules(transactions: Transactions, clock: Clock): PrepareSchedule {
  return async (tx, merchantId, event, { payments }) => {
    if (!('transactionId' in event)) return async () => undefined;
    const { transactionId, revision } = event;
    const row = await lockTransaction(tx, merchantId, transactionId);
    return async () => {
      // An earlier event was sent again.
      if (row.lenderSchedule && revision < row.lenderSchedule.revision) return;
      await transactions.saveSchedule(tx, row, { revision, payments }, clock.now());
    };
  };
}
