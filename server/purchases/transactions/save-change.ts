import type { MerchantDiscount } from '../../../shared/settlement.ts';
import type { EventType } from '../../../shared/wire/event.ts';
import { type Tx, together } from '../../db/database.ts';
import { idOf } from '../../base/ids.ts';
import { enqueueServicingEvent } from '../../messages/servicing-store.ts';
import { enqueueCardOperation } from '../../messages/outbox.ts';
import { type NewEvent, recordEvent } from '../../messages/webhooks/store.ts';
import { addLine } from '../settlements/store.ts';
import { type Instant, dateIn } from '../../base/time.ts';
import { accrualsOf } from './accrual.ts';
import { cardOperationFor, cardStateOf } from './card.ts';
import { loanColumnsAfter } from './loan.ts';
import { loanEventId, loanEventOf, type LoanFacts } from './loan-events.ts';
import { listOtherPurchases } from './other-purchases-store.ts';
import {
  addTransaction,
  chargesOf,
  creationOf,
  revised,
  saveSealedValues,
  saveTransaction,
  type Transaction,
  type NewEntry,
} from './store.ts';

/** Stores a new transaction with the merchant's event, both with what is known of other purchases with its `orderRef`. */
export async function savePurchase(tx: Tx, transaction: Transaction): Promise<void> {
  const otherIds = (await listOtherPurchases(tx, transaction)).map(({ id }) => id);
  const row = { ...transaction, orderRefSharedAt: otherIds.length > 0 ? transaction.createdAt : null };
  await together(addTransaction(tx, row), recordMerchantEvent(tx, row, creationOf(row), otherIds));
}

/**
 * Saves a change of a transaction with the columns of its loan, its lines of a settlement, its event for the merchant, its card operation and its
 * event for the lender, if any.
 *
 * @throws ServiceError `changed-meanwhile`
 */
export async function saveChange(tx: Tx, before: Transaction, changed: Transaction, entry: NewEntry): Promise<Transaction> {
  const after = { ...changed, ...(await loanColumnsAfter(tx, before, changed, entry)) };
  const [saved] = await together(
    saveTransaction(tx, after, entry),
    recordMerchantEvent(tx, revised(after, entry), entry),
    ...addLines(tx, before, after, entry),
  );
  await enqueueOperation(tx, before, saved, entry);
  await enqueueLoanEvent(tx, saved, entry);
  return saved;
}

/** The type of the merchant's event for a row of the journal; null for changes that the merchant made to its own notes. */
const eventTypes = {
  created: 'transaction.created',
  authorized: 'transaction.authorized',
  settled: 'transaction.settled',
  canceled: 'transaction.canceled',
  refunded: 'transaction.refunded',
  expired: 'transaction.expired',
  'card-declined': 'transaction.card_declined',
  'card-capture-failed': 'transaction.card_capture_failed',
  'card-captured': 'transaction.card_captured',
  'order-id-set': null,
  shipped: 'shipment.updated',
} as const satisfies Record<NewEntry['type'], EventType | null>;

/**
 * Returns the merchant's event for a row of the journal; undefined without one.
 *
 * @param saved - The transaction after the change.
 * @param otherTransactionIds - Ids of other purchases with the `orderRef` of a new one.
 */
function merchantEventOf(
  saved: Transaction,
  { type: change, amountCents: amount, at }: NewEntry,
  otherTransactionIds: string[],
): NewEvent | undefined {
  const type = eventTypes[change];
  if (type === null) return undefined;
  const { id: transactionId, merchantId, revision, carrierName } = saved;
  // Deterministic, so that a retried write records the same event.
  const id = idOf(`${transactionId}/event`, revision, at);
  const state = {
    transactionId,
    cartId: saved.cartId,
    orderRef: saved.orderRef,
    merchantOrderId: saved.merchantOrderId,
    status: saved.status,
    total: saved.totalCents,
    adjustedTotal: saved.adjustedTotalCents,
  };
  if (type === 'shipment.updated') return { id, merchantId, type, data: { ...state, carrierName } };
  if (type === 'transaction.created') return { id, merchantId, type, data: { ...state, amount, otherTransactionIds } };
  return { id, merchantId, type, data: { ...state, amount } };
}

async function recordMerchantEvent(tx: Tx, saved: Transaction, change: NewEntry, otherIds: string[] = []): Promise<void> {
  const event = merchantEventOf(saved, change, otherIds);
  if (event) await recordEvent(tx, event);
}

/** Adds what a change of `before` to `after` adds to the settlement of the merchant. */
function addLines(tx: Tx, before: Transaction, after: Transaction, { at }: NewEntry): Promise<void>[] {
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

async function enqueueOperation(tx: Tx, before: Transaction, saved: Transaction, { at }: NewEntry): Promise<void> {
  const operation = cardOperationFor(cardStateOf(before), cardStateOf(saved));
  if (!operation) return;
  const { id: transactionId, merchantId, cardReference: reference, revision: sequence } = saved;
  // Deterministic, so that a retried write enqueues the same operation.
  const id = idOf(transactionId, sequence, at);
  await enqueueCardOperation(tx, { id, merchantId, transactionId, sequence, reference, createdAt: at, ...operation });
}

async function enqueueLoanEvent(tx: Tx, saved: Transaction, change: NewEntry): Promise<void> {
  const { id: transactionId, merchantId, applicationId, requestId, revision } = saved;
  const { type, amountCents, lines = [], reason = null, at } = change;
  const state = { ...cardStateOf(saved), revision, charges: chargesOf(saved) };
  const event = loanEventOf(loanFactsOf(saved), state, { type, amountCents, lines, reason, at });
  if (!event) return;
  await enqueueServicingEvent(
    tx,
    { id: loanEventId(transactionId, revision, at), merchantId, applicationId, requestId, at },
    event,
  );
}

function loanFactsOf(transaction: Transaction): LoanFacts {
  const { id: transactionId, orderRef, merchantOrderId, timeZone } = transaction;
  return { transactionId, orderRef, merchantOrderId, timeZone, merchantDiscount: discountOf(transaction) };
}

function discountOf({ merchantDiscountBps: bps, merchantDiscountCents: fixedCents }: Transaction): MerchantDiscount {
  return { bps, fixedCents };
}
