import type { PrepareSchedule } from '../../messages/servicing-sender.ts';
import type { Clock } from '../../base/time.ts';
import { type LoanEmailOptions, sendScheduleEmail } from './loan-email.ts';
import { lockTransaction, saveSealedValues } from './store.ts';

/**
 * Returns a function that saves the schedule with which a lender responded to an event, in the database transaction of the delivery, and
 * e-mails it to the buyer if it has other payments than the buyer knows. It is not used if the loan has changed after the event, because the
 * lender responds to that change, too: see `loanAfter`.
 *
 * @param clock - The clock of purchases.
 */
export function savingSchedules(clock: Clock, loanEmails?: LoanEmailOptions): PrepareSchedule {
  return async (tx, merchantId, event, { payments }) => {
    if (!('transactionId' in event)) return async () => undefined;
    const { transactionId, revision } = event;
    const row = await lockTransaction(tx, merchantId, transactionId);
    return async () => {
      // An earlier event was sent again.
      if (row.lenderSchedule && revision < row.lenderSchedule.revision) return;
      const saved = await saveSealedValues(tx, { ...row, lenderSchedule: { revision, payments: [...payments] } });
      if (loanEmails) await sendScheduleEmail(tx, row, saved, clock.now(), loanEmails);
    };
  };
}
