import { cardOperationIn } from '../../messages/outbox.ts';
import type { PrepareSchedule } from '../../messages/servicing-sender.ts';
import type { Send } from '../../messages/attempt.ts';
import type { Clock } from '../../base/time.ts';
import type { Tx } from '../../db/database.ts';
import { findApplication } from '../../lending/applications/store.ts';
import { closeExceptions } from '../../lending/exceptions/store.ts';
import { faultOfSchedule } from '../../lending/lenders/schedule.ts';
import { knownLoanAfter } from './known-loan.ts';
import { hasCaptureFailed } from './loan.ts';
import { listEntries, lockTransaction, type Transaction } from './store.ts';
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

/** Raises the exception of a schedule that is not used, in the database transaction of the delivery. */
export type RaiseFault = (
  tx: Tx,
  loan: Pick<Transaction, 'applicationId' | 'merchantId' | 'cartId'>,
  fault: string,
) => Promise<void>;

/**
 * Returns a function that saves the schedule with which a lender responded to an event, in the database transaction of the delivery, and
 * e-mails it to the buyer if it has other payments than the buyer knows. A schedule with a fault raises an exception instead, and changes nothing:
 * the event is delivered in both cases. Neither happens if the loan has changed after the event, because the lender responds to that change, too.
 *
 * @param clock - The clock of purchases.
 */
export function savingSchedules(transactions: Transactions, clock: Clock, raiseFault: RaiseFault): PrepareSchedule {
  return async (tx, merchantId, event, parsed) => {
    if (!('transactionId' in event)) return async () => undefined;
    const { transactionId, revision } = event;
    const row = await lockTransaction(tx, merchantId, transactionId);
    return async () => {
      // An earlier event was sent again.
      if (row.lenderSchedule && revision < row.lenderSchedule.revision) return;
      const application = await findApplication(tx, row.applicationId);
      const disclosure = application?.paymentAgreements[0]?.disclosure;
      const loan = disclosure && knownLoanAfter(row, await listEntries(tx, transactionId), disclosure, event);
      if (!loan) return;
      const fault = 'fault' in parsed ? parsed.fault : faultOfSchedule(parsed.content, loan)?.fault;
      if (fault !== undefined) return raiseFault(tx, row, `${event.type} ${event.id}: ${fault}`);
      if ('fault' in parsed) return;
      await closeExceptions(tx, row.applicationId, clock.now(), 'schedule');
      await transactions.saveSchedule(tx, row, { ...parsed.content, revision }, clock.now());
    };
  };
}
