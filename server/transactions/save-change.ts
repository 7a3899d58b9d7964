import type { Tx } from '../db/database.ts';
import { idOf } from '../ids.ts';
import { enqueueEvent } from '../lenders/events.ts';
import { enqueueCardOperation } from '../notifications/outbox.ts';
import { cardOperationFor, cardStateOf } from './card.ts';
import { loanEventId, loanEventOf, type LoanFacts } from './loan-events.ts';
import { saveTransaction, type Transaction, type TransactionEvent } from './store.ts';

/**
 * Saves a change of a transaction, and enqueues what follows from it: its card operation and its event for the lender, if any.
 *
 * @throws ServiceError `changed-meanwhile`
 */
export async function saveChange(tx: Tx, before: Transaction, after: Transaction, event: TransactionEvent): Promise<Transaction> {
  const saved = await saveTransaction(tx, after, event);
  await enqueueOperation(tx, before, saved, event);
  await enqueueLoanEvent(tx, saved, event);
  return saved;
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
  const merchantDiscount = { bps: transaction.merchantDiscountBps, fixedCents: transaction.merchantDiscountCents };
  return { transactionId, orderRef, merchantOrderId, timeZone, merchantDiscount };
}
