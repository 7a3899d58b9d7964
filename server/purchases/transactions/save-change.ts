import { dateIn } from '../../../shared/dates.ts';
import type { MerchantDiscount } from '../../../shared/merchant-fee.ts';
import { type Tx, together } from '../../db/database.ts';
import { idOf } from '../../base/ids.ts';
import { enqueueEvent } from '../../messages/lender-events.ts';
import { enqueueCardOperation } from '../../messages/outbox.ts';
import { addLine } from '../settlements/store.ts';
import type { Instant } from '../../base/time.ts';
import { accrualsOf } from './accrual.ts';
import { cardOperationFor, cardStateOf } from './card.ts';
import { type LoanEmailOptions, sendLoanEmail } from './loan-email.ts';
import { loanEventId, loanEventOf, type LoanFacts } from './loan-events.ts';
import { saveSealedValues, saveTransaction, type Transaction, type TransactionEvent } from './store.ts';

/**
 * Saves a change of a transaction with its lines of a settlement, and enqueues what follows from it: its card operation, its event for the
 * lender and the e-mail to the buyer, if any.
 *
 * @throws ServiceError `changed-meanwhile`
 */
export async function saveChange(
  tx: Tx,
  before: Transaction,
  after: Transaction,
  event: TransactionEvent,
  loanEmails?: LoanEmailOptions,
): Promise<Transaction> {
  const [saved] = await together(saveTransaction(tx, after, event), ...addLines(tx, before, after, event));
  await enqueueOperation(tx, before, saved, event);
  await enqueueLoanEvent(tx, saved, event);
  if (loanEmails) await sendLoanEmail(tx, before, saved, event, loanEmails);
  return saved;
}

/** Adds what a change of `before` to `after` adds to the settlement of the merchant. */
function addLines(tx: Tx, before: Transaction, after: Transaction, { at }: TransactionEvent): Promise<void>[] {
  const { id: transactionId, merchantId, applicationId, timeZone } = after;
  const line = { transactionId, sequence: before.revision + 1, merchantId, day: dateIn(at, timeZone), at };
  const accruals = accrualsOf(discountOf(after), cardStateOf(before), cardStateOf(after));
  return accruals.map((accrual) => addLine(tx, { ...line, ...accrual }, applicationId));
}

/** Saves a new reference for the card of a transaction, before a hold is placed on it, and releases the earlier one. */
export async function saveReference(tx: Tx, row: Transaction, cardReference: string, now: Instant): Promise<Transaction> {
  const { id: transactionId, merchantId, cardReference: reference, revision: sequence } = row;
  const id = idOf(`${transactionId}/${reference}`, sequence, now);
  const release = { type: 'release', reference, amountCents: 0, sequence } as const;
  await enqueueCardOperation(tx, { id, merchantId, transactionId, createdAt: now, ...release });
  return saveSealedValues(tx, { ...row, cardReference, cardHold: { outcome: 'unknown' } });
}

async function enqueueOperation(tx: Tx, before: Transaction, saved: Transaction, { at }: TransactionEvent): Promise<void> {
  const operation = cardOperationFor(cardStateOf(before), cardStateOf(saved));
  if (!operation) return;
  const { id: transactionId, merchantId, cardReference: reference, revision: sequence } = saved;
  // Deterministic, so that a retried write enqueues the same operation.
  const id = idOf(transactionId, sequence, at);
  await enqueueCardOperation(tx, { id, merchantId, transactionId, sequence, reference, createdAt: at, ...operation });
}

async function enqueueLoanEvent(tx: Tx, saved: Transaction, change: TransactionEvent): Promise<void> {
  const { id: transactionId, merchantId, applicationId, requestId, revision } = saved;
  const { type, amountCents, lines = [], reason = null, at } = change;
  const event = loanEventOf(loanFactsOf(saved), { ...cardStateOf(saved), revision }, { type, amountCents, lines, reason, at });
  if (!event) return;
  await enqueueEvent(tx, { id: loanEventId(transactionId, revision, at), merchantId, applicationId, requestId, at }, event);
}

function loanFactsOf(transaction: Transaction): LoanFacts {
  const { id: transactionId, orderRef, merchantOrderId, timeZone } = transaction;
  return { transactionId, orderRef, merchantOrderId, timeZone, merchantDiscount: discountOf(transaction) };
}

function discountOf({ merchantDiscountBps: bps, merchantDiscountCents: fixedCents }: Transaction): MerchantDiscount {
  return { bps, fixedCents };
}
