import { fromJson, toJson } from '../../db/json.ts';
import { type Selectable, sql } from 'kysely';
import type { CardHold } from '../cards/gateway.ts';
import type { LoanCharges } from '../../../shared/recast.ts';
import type { LenderSchedule } from '../../lending/lenders/lender.ts';
import type { Discount } from '../../../shared/wire/cart.ts';
import { type Query, together, type Tx } from '../../db/database.ts';
import { addOrderWords, deleteOrderWords } from '../../db/order-words.ts';
import { unindexed } from '../../db/newest-first.ts';
import { type Period, sumByPeriod } from '../../db/periods.ts';
import { prepared, preparedInsert, preparedSave } from '../../db/prepared.ts';
import type { TransactionEntryTable, TransactionTable } from '../../db/schema.ts';
import { emailHash, omit, openRow, pick, seal } from '../../db/sealed.ts';
import type {
  LineCount,
  LineItem,
  SignedFinancing,
  TransactionContact,
  TransactionStatus,
} from '../../../shared/wire/transaction.ts';
import { NO_CONTACT, toTransactionContact } from '../../base/contact.ts';
import { ServiceError } from '../../base/errors.ts';
import { isId } from '../../base/ids.ts';
import type { Instant } from '../../base/time.ts';

/** The values of a transaction that identify the buyer, or may do so. They are stored sealed. */
export interface SealedTransaction {
  billingContact: TransactionContact;
  shippingContact: TransactionContact;
  lineItems: LineItem[];
  discounts: Discount[];
  trackingNumber: string;
  /** Label of the card shown to the buyer, such as `Visa 4242`; empty without a card. */
  cardLabel: string;
  /** The loan as signed. */
  financing: SignedFinancing;
  /** The result of the last authorization of the card. Absent before it. */
  cardHold?: StoredHold | undefined;
  /** The latest payments with which the lender responded to an event. Absent if it stated none. They may be those of a loan that has changed since. */
  lenderSchedule?: StoredSchedule | undefined;
}

/** A lender's schedule, and the row of the journal that it responded to. */
export interface StoredSchedule extends LenderSchedule {
  revision: number;
}

/** The result of an authorization of a card; `unknown` if the gateway did not respond, so that there may be a hold. */
export type StoredHold = CardHold | { outcome: 'unknown'; expiresAt?: undefined };

declare module '../../db/sealed.ts' {
  interface SealedValues {
    transactions: SealedTransaction;
  }
}

const SEALED = [
  'billingContact',
  'shippingContact',
  'lineItems',
  'discounts',
  'trackingNumber',
  'cardLabel',
  'financing',
  'cardHold',
  'lenderSchedule',
] as const satisfies readonly (keyof SealedTransaction)[];

type StoredRow = Selectable<TransactionTable>;

/** A transaction with its sealed values. */
export type Transaction = Omit<StoredRow, 'adjustedQuantitiesJson' | 'emailHash' | 'sealed'> &
  SealedTransaction & {
    /** Quantities that were canceled or refunded, each sku once. */
    adjustedQuantities: LineCount[];
  };

/** The values with which every transaction begins. */
export const NEW_TRANSACTION = {
  status: 'PENDING',
  orderRefSharedAt: null,
  merchantOrderId: '',
  canceledCents: 0,
  refundedCents: 0,
  adjustedQuantities: [],
  trackingNumber: '',
  carrierName: '',
  cardReducedCents: 0,
  contactsDeletedAt: null,
  revision: 1,
} satisfies Partial<Transaction>;

/** Returns a transaction with its sealed values. */
export function openTransaction(query: Query, row: StoredRow): Transaction {
  return Object.assign(openRow(query, 'transactions', row), { adjustedQuantities: fromJson(row.adjustedQuantitiesJson) });
}

/** Returns the columns that are stored in another form. */
function storedColumns(tx: Tx, transaction: Transaction): Pick<StoredRow, 'adjustedQuantitiesJson' | 'sealed'> {
  return {
    adjustedQuantitiesJson: toJson(transaction.adjustedQuantities),
    sealed: seal(tx, 'transactions', transaction, pick(transaction, SEALED)),
  };
}

type StoredEntry = Selectable<TransactionEntryTable>;

/** A row of the journal. */
export type JournalEntry = Omit<StoredEntry, 'linesJson'> & { lines: LineCount[] };

/** A change to append to the journal. The omitted columns are 0, null or empty. */
export type NewEntry = Pick<JournalEntry, 'type' | 'amountCents' | 'actor' | 'at'> & {
  [Column in 'cardCents' | 'requestedCents' | 'reason' | 'reference' | 'lines']?: JournalEntry[Column] | undefined;
};

/** Id of a transaction and of its merchant. */
export type TransactionRef = Pick<Transaction, 'merchantId' | 'id'>;

/** Returns a merchant's transaction. @throws ServiceError `transaction-not-found` */
export async function getTransaction(query: Query, merchantId: string, id: string): Promise<Transaction> {
  const [row] = isId(id) ? await transactionById(query, merchantId, id) : [];
  if (!row) throw new ServiceError('transaction-not-found', 'Transaction ID was invalid');
  return openTransaction(query, row);
}

/** Like `getTransaction`, and locks the row until the database transaction ends. @throws ServiceError `transaction-not-found` */
export async function lockTransaction(tx: Tx, merchantId: string, id: string): Promise<Transaction> {
  const [row] = isId(id) ? await transactionByIdForUpdate(tx, merchantId, id) : [];
  if (!row) throw new ServiceError('transaction-not-found', 'Transaction ID was invalid');
  return openTransaction(tx, row);
}

const transactionByIdForUpdate = prepared((query, merchantId: string, id: string) =>
  query.selectFrom('transactions').selectAll().where('id', '=', id).where('merchantId', '=', merchantId).forUpdate(),
);

const transactionById = prepared((query, merchantId: string, id: string) =>
  query.selectFrom('transactions').selectAll().where('id', '=', id).where('merchantId', '=', merchantId),
);

const insertTransaction = preparedInsert('transactions');
const insertEntry = preparedInsert('transaction_entries');
/** The columns that `saveTransaction` saves. */
const SAVED = [
  'status',
  'statusSince',
  'merchantOrderId',
  'cardReference',
  'cardReducedCents',
  'adjustedTotalCents',
  'canceledCents',
  'refundedCents',
  'adjustedQuantitiesJson',
  'carrierName',
  'lineItemsCents',
  'loanEndsOn',
  'loanFeeCents',
  'loanAprBps',
  'updatedAt',
  'sealed',
  'revision',
] as const satisfies readonly (keyof StoredRow)[];
const updateTransaction = preparedSave('transactions', SAVED);

/** Values of a transaction that can change. */
export type TransactionChanges = Partial<Pick<Transaction, (typeof SAVED)[number] & keyof Transaction>> &
  Partial<SealedTransaction>;

/** Stores a new transaction with the first row of its journal. */
export async function addTransaction(tx: Tx, row: Transaction): Promise<void> {
  const hash = await emailHash(tx, row.billingContact.email);
  const stored = { ...omit(row, [...SEALED, 'adjustedQuantities']), ...storedColumns(tx, row), emailHash: hash };
  await together(insertTransaction(tx, stored), addOrderWords(tx, row), appendEntry(tx, row.id, row.revision, creationOf(row)));
}

/** Returns the first change of a transaction. */
export function creationOf({ totalCents, createdAt }: Transaction): NewEntry {
  return { type: 'created', amountCents: totalCents, actor: 'buyer', at: createdAt };
}

/** Returns the charges of the loan; null if they are not known. */
export function chargesOf({ loanFeeCents, loanAprBps }: Pick<StoredRow, 'loanFeeCents' | 'loanAprBps'>): LoanCharges | null {
  return loanFeeCents === null || loanAprBps === null ? null : { feeCents: loanFeeCents, aprBps: loanAprBps };
}

/** Returns a transaction as `saveTransaction` stores it. */
export function revised(row: Transaction, { at }: NewEntry): Transaction {
  return { ...row, updatedAt: at, revision: row.revision + 1 };
}

/**
 * Saves a transaction, and appends to its journal. `saveChange` also saves what follows from the change.
 *
 * Callers must have locked the row. In addition, the update compares the revision, which is also the journal's sequence, so that the
 * second of two saves of the same revision fails.
 *
 * @throws ServiceError `changed-meanwhile`
 */
export async function saveTransaction(tx: Tx, row: Transaction, entry: NewEntry): Promise<Transaction> {
  const saved = revised(row, entry);
  const updated = updateTransaction(tx, { ...saved, ...storedColumns(tx, saved) }, row.revision).then((isUpdated) => {
    if (isUpdated) return;
    throw new ServiceError('changed-meanwhile', `Transaction ${row.id} was changed by another request; please retry.`);
  });
  await together(updated, appendEntry(tx, row.id, saved.revision, entry));
  return saved;
}

/**
 * Saves the reference of a card, the result of a hold whose outcome is unknown or which has expired, or a lender's schedule with the end of
 * the loan. The journal does not change, because the purchase does not. Callers must have locked the row.
 */
export async function saveSealedValues(tx: Tx, row: Transaction): Promise<Transaction> {
  const { sealed } = storedColumns(tx, row);
  const { id, cardReference, loanEndsOn } = row;
  await tx.updateTable('transactions').set({ cardReference, loanEndsOn, sealed }).where('id', '=', id).execute();
  return row;
}

async function appendEntry(tx: Tx, transactionId: string, sequence: number, entry: NewEntry): Promise<void> {
  const { cardCents = 0, requestedCents = null, lines = [], reason = null, reference = null, ...change } = entry;
  const row = { ...change, cardCents, requestedCents, linesJson: toJson(lines), reason, reference };
  await insertEntry(tx, { transactionId, sequence, ...row });
}

export async function findTransactionOfApplication(query: Query, applicationId: string): Promise<Transaction | undefined> {
  const row = await query.selectFrom('transactions').selectAll().where('applicationId', '=', applicationId).executeTakeFirst();
  return row && openTransaction(query, row);
}

export async function listEntries(query: Query, transactionId: string): Promise<JournalEntry[]> {
  const entries = query.selectFrom('transaction_entries').selectAll().where('transactionId', '=', transactionId);
  return (await entries.orderBy('sequence').execute()).map(openEntry);
}

export async function journalsOf(query: Query, transactionIds: readonly string[]): Promise<Map<string, JournalEntry[]>> {
  if (transactionIds.length === 0) return new Map();
  const entries = query.selectFrom('transaction_entries').selectAll().where('transactionId', 'in', transactionIds);
  const journals = new Map<string, JournalEntry[]>(transactionIds.map((id) => [id, []]));
  for (const row of await entries.orderBy('transactionId').orderBy('sequence').execute()) {
    journals.get(row.transactionId)!.push(openEntry(row));
  }
  return journals;
}

function openEntry({ linesJson, ...entry }: StoredEntry): JournalEntry {
  return { ...entry, lines: fromJson(linesJson) };
}

/** The sealed values after the deletion of everything that identifies the buyer. */
const NO_PERSON: Omit<SealedTransaction, 'lineItems' | 'discounts' | 'financing' | 'cardHold' | 'lenderSchedule'> = {
  billingContact: toTransactionContact(NO_CONTACT),
  shippingContact: toTransactionContact(NO_CONTACT),
  trackingNumber: '',
  cardLabel: '',
};

/** Deletes what identifies the buyer in a transaction. Neither the time of its last change nor its journal changes. */
export async function deleteTransactionContacts(tx: Tx, { merchantId, id }: TransactionRef, now: Instant): Promise<void> {
  const { sealed } = storedColumns(tx, { ...(await lockTransaction(tx, merchantId, id)), ...NO_PERSON });
  await tx.updateTable('transactions').set({ sealed, emailHash: '', contactsDeletedAt: now }).where('id', '=', id).execute();
  await deleteOrderWords(tx, id);
}

/** A transaction and the instant at which it entered its status. */
export type TransactionInStatus = Pick<Transaction, 'id' | 'merchantId' | 'statusSince'>;

/**
 * Returns transactions of all merchants that entered `status` at `since` or earlier, the earliest first.
 *
 * @param after - Last row of the previous page; undefined for the first page.
 */
export async function listInStatusSince(
  query: Query,
  status: TransactionStatus,
  since: Instant,
  after: TransactionInStatus | undefined,
  limit: number,
): Promise<TransactionInStatus[]> {
  const page = query
    .selectFrom('transactions')
    .select(['id', 'merchantId', 'statusSince'])
    .where('status', '=', status)
    // A literal, so that the partial index can be used.
    .where(sql<boolean>`status in ('PENDING', 'AUTHORIZED')`)
    .where('statusSince', '<=', since)
    .orderBy('statusSince')
    .orderBy('id')
    .limit(limit);
  if (!after) return page.execute();
  return page.where((row) => row(row.refTuple('statusSince', 'id'), '>', row.tuple(after.statusSince, after.id))).execute();
}

/** Returns the number and the total of the purchases that a merchant's buyers signed in each period. */
export function sumPurchases(query: Query, merchantId: string, periods: readonly Period[]): ReturnType<typeof sumByPeriod> {
  const condition = sql`merchant_id = ${merchantId}`;
  return sumByPeriod(query, { table: 'transactions', condition }, 'totalCents', periods);
}

/**
 * Returns the number of a merchant's transactions in a status, up to a limit.
 *
 * @param after - Leaves out those that entered it at this instant or before.
 * @param until - Leaves out those that entered it later.
 */
export async function countInStatus(
  query: Query,
  merchantId: string,
  status: TransactionStatus,
  { after, until, limit }: { after: Instant; until?: Instant | undefined; limit: number },
): Promise<number> {
  let rows = query
    .selectFrom('transactions')
    .select('id')
    .where('merchantId', '=', merchantId)
    .where('status', '=', status)
    .where(unindexed('statusSince'), '>', after)
    .orderBy('createdAt')
    .limit(limit);
  // What entered a status by then was created by then, which the index is sorted by.
  if (until !== undefined) rows = rows.where('createdAt', '<=', until).where(unindexed('statusSince'), '<=', until);
  const counted = query.selectFrom(rows.as('some')).select(sql<number>`cast(count(*) as bigint)`.as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Returns the currencies of transactions by their ids. Other texts have none. */
export async function currenciesOf(query: Query, texts: readonly string[]): Promise<Map<string, string>> {
  const ids = texts.filter(isId);
  if (ids.length === 0) return new Map();
  const rows = await query
    .selectFrom('transactions')
    .innerJoin('applications', 'applications.id', 'transactions.applicationId')
    .select(['transactions.id', 'applications.currency'])
    .where('transactions.id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, currency }) => [id, currency]));
}
