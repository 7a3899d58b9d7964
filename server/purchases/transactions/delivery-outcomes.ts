import { cardOperationIn } from '../../messages/outbox.ts';
import type { PrepareSchedule } from '../../messages/servicing-sender.ts';
import type { Send } from '../../messages/attempt.ts';
import type { Clock } from '../../base/time.ts';
import { hasCaptureFailed } from './loan.ts';
import { listEntries, lockTransaction } from './store.ts';
import type { Transactions } from './transactions.ts';

/**
 * Returns a sender of card operations that also records a capture that failed and is not retried, and one that succeeded after that: as a row
 * of the journal, as an event for the lender and the merchant, and in an e-mail to the buyer. It locks the transaction before the delivery, in
 * the order of other changes.
 *
 * @param clock - The clock of purchases.
 */
export function recordingCaptures(send: Send, transactions: Transactions, clock: Clock): Send {
  return async (delivery) => {
    const outcome = await send(delivery);
    const { type, amountCents } = cardOperationIn(delivery.body);
    if (type !== 'capture') return outcome;
    const hasFailed = outcome.failure !== '';
    const transactionId = delivery.url.slice('card:'.length);
    return {
      ...outcome,
      saveWith: async (tx, save, isLast) => {
        const row = isLast ? await lockTransaction(tx, delivery.merchantId, transactionId) : undefined;
        if (!(await save()) || !row) return;
        // A capture that has not failed before follows from the settlement.
        if (!hasFailed && !hasCaptureFailed(await listEntries(tx, transactionId))) return;
        const entry = {
          type: hasFailed ? 'card-capture-failed' : 'card-captured',
          amountCents,
          actor: 'system',
          at: clock.now(),
        } as const;
        await transactions.save(tx, row, row, entry);
      },
    };
  };
}

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
