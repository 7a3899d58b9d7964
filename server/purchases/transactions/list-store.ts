import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { TransactionStatus } from '../../../shared/wire/transaction.ts';
import type { Query } from '../../db/database.ts';
import { conditionsOf, type NewestFirst, type Position, tableByIndex, unindexed } from '../../db/newest-first.ts';
import { hashesOfWords } from '../../db/order-words.ts';
import type { Schema, TransactionTable } from '../../db/schema.ts';
import { emailHash, openRows } from '../../db/sealed.ts';
import type { Instant } from '../../base/time.ts';
import { hasSharedOrderRef } from './other-purchases-store.ts';
import { openTransaction, type Transaction } from './store.ts';

/** Filters of a merchant's transactions. */
export interface TransactionFilters {
  id?: string | undefined;
  cartId?: string | undefined;
  /** The end of the id of the application, as `idEndOf` returns it. */
  applicationIdEnd?: string | undefined;
  /** Words of the buyer's names, as `foldedWords` returns them. */
  words?: readonly string[] | undefined;
  /** Phone number of the buyer, as `phoneDigitsOf` returns it. */
  phone?: string | undefined;
  orderRef?: string | undefined;
  merchantOrderId?: string | undefined;
  email?: string | undefined;
  totalCents?: number | undefined;
  status?: TransactionStatus | undefined;
  /** True for those whose `orderRef` another purchase has. */
  hasSharedOrderRef?: true | undefined;
  /** Leaves out those that entered their status at this instant or before. */
  statusAfter?: Instant | undefined;
  /** Leaves out those that entered their status later. Only with the status PENDING or AUTHORIZED. */
  statusUntil?: Instant | undefined;
}

type StoredRow = Selectable<TransactionTable>;

/** Columns of filters, the one that selects the fewest rows first. Each has an index, which is sorted like the list. */
const FILTER_COLUMNS = ['id', 'cartId', 'orderRef', 'merchantOrderId', 'emailHash', 'totalCents', 'status'] as const;

const INDEX_BY: Readonly<Record<(typeof FILTER_COLUMNS)[number] | 'merchantId' | 'applicationId', string | undefined>> = {
  // Unique constraints, whose indexes have no common names.
  id: undefined,
  cartId: undefined,
  applicationId: undefined,
  merchantId: 'transactions_of_merchant',
  orderRef: 'transactions_of_order_ref',
  merchantOrderId: 'transactions_of_merchant_order_id',
  emailHash: 'transactions_of_email_hash',
  totalCents: 'transactions_of_total',
  status: 'transactions_of_status',
};

/** Columns that many rows have no value of. Their indexes contain only the others. */
const OPTIONAL: readonly string[] = ['orderRef', 'merchantOrderId', 'emailHash'];

/** A page of rows. */
export interface FoundRows {
  rows: StoredRow[];
  /** The last row that was read, if there are older ones that were not; undefined if all were read or the page is full. */
  until?: Position | undefined;
}

/** Most rows of one meaning of a text that a page of a search reads: about 8 µs each. */
export const MAX_READ = 1_000;

/** A page of a search, which reads a limited number of rows that have the searched value and not the other filters. */
export interface SearchedPage extends NewestFirst {
  maxRead?: number | undefined;
}

/** Columns whose values people search for, and many rows may have. */
const SEARCHED: readonly string[] = ['orderRef', 'merchantOrderId', 'emailHash', 'totalCents'];

/** Returns a page of the rows of a merchant's transactions, the newest first. */
export async function listTransactions(
  query: Query,
  merchantId: string,
  filters: TransactionFilters,
  page: SearchedPage,
): Promise<FoundRows> {
  const { words = [], phone, email, applicationIdEnd, statusAfter, statusUntil } = filters;
  const [word, ...otherWords] = await rarestFirst(query, [
    ...(await hashesOfWords(query, merchantId, 'order-name', words)),
    ...(await hashesOfWords(query, merchantId, 'order-phone', phone === undefined ? [] : [phone])),
  ]);
  if (word !== undefined) {
    const ofWord = query.selectFrom('order_words').select(['createdAt', 'transactionId as id']).where('hash', '=', word);
    const candidates = newestOf(ofWord, page, { createdAt: 'createdAt', id: 'transactionId' });
    return listAmong(query, merchantId, candidates, otherWords, filters, page);
  }

  const values = { ...filters, emailHash: email === undefined ? undefined : await emailHash(query, email) };
  const columns = FILTER_COLUMNS.filter((column) => values[column] !== undefined);
  const by = applicationIdEnd === undefined ? (columns[0] ?? 'merchantId') : 'applicationId';
  // The few transactions in a range of these times are sorted.
  const isByTime = by === 'status' && statusUntil !== undefined;
  const isByMark = by === 'merchantId' && filters.hasSharedOrderRef === true;
  const index = isByTime ? 'transactions_of_status_since' : isByMark ? 'transactions_with_shared_order_ref' : INDEX_BY[by];
  let rows = query.selectFrom(index ? tableByIndex(query, 'transactions', index) : 'transactions').selectAll();
  rows = rows.where(index ? 'merchantId' : unindexed('merchantId'), '=', merchantId);
  const [first, ...others] = columns;
  if (first === by) rows = rows.where(first, '=', values[first]!);
  // Literal conditions, so that partial indexes can be used.
  if (OPTIONAL.includes(by)) rows = rows.where(sql.ref(by), '<>', sql.lit(''));
  if (isByTime) rows = rows.where('status', 'in', sql<TransactionStatus>`('PENDING', 'AUTHORIZED')`);
  // A search for a value with a status: the index by value has no status, so that only some of its rows are read.
  if (page.maxRead !== undefined && SEARCHED.includes(by) && others.join() === 'status') {
    const candidates = newestOf(rows.clearSelect().select(['createdAt', 'id']), page);
    return listAmong(query, merchantId, candidates, [], filters, page);
  }
  for (const column of first === by ? others : columns) rows = rows.where(unindexed(column), '=', String(values[column]));
  if (applicationIdEnd !== undefined) {
    const ids = await applicationsWithEnd(query, applicationIdEnd);
    if (ids.length === 0) return { rows: [] };
    rows = rows.where('applicationId', 'in', ids);
  }
  const since = isByTime ? sql.ref<Instant>('statusSince') : unindexed('statusSince');
  if (statusAfter !== undefined) rows = rows.where(since, '>', statusAfter);
  if (statusUntil !== undefined) rows = rows.where(since, '<=', statusUntil);
  if (filters.hasSharedOrderRef) rows = rows.where(hasSharedOrderRef(query, 'transactions'));
  for (const condition of conditionsOf(page)) rows = rows.where(condition);
  // PostgreSQL could otherwise read the newest ones until it finds some of the few that are selected.
  const isIndexed = !isByTime && by !== 'applicationId';
  rows = rows.orderBy(isIndexed ? 'createdAt' : unindexed('createdAt'), 'desc').orderBy('id', 'desc');
  return { rows: await rows.limit(page.limit).execute() };
}

/** Returns the positions of rows on a page, the newest first. */
function newestOf<Tables extends keyof Schema>(
  rows: SelectQueryBuilder<Schema, Tables, Position>,
  page: NewestFirst,
  columns = { createdAt: 'createdAt', id: 'id' },
): SelectQueryBuilder<Schema, Tables, Position> {
  let sorted = rows.orderBy(sql.ref(columns.createdAt), 'desc').orderBy(sql.ref(columns.id), 'desc');
  for (const condition of conditionsOf(page, columns)) sorted = sorted.where(condition);
  return sorted;
}

/** Returns the ids of the applications of all merchants that have a short reference. */
async function applicationsWithEnd(query: Query, idEnd: string): Promise<string[]> {
  const rows = await query
    .selectFrom('applications')
    .select('id')
    // The last 10 of 36 characters, which have an index.
    .where(sql`substr(id, 27)`, '=', idEnd)
    .execute();
  return rows.map(({ id }) => id);
}

/** Number of purchases with a word up to which the frequencies of words are compared. */
const MAX_COUNTED = 1_000;

/** Returns the hash that the fewest purchases have first: a search may read all of them. */
async function rarestFirst(query: Query, hashes: readonly string[]): Promise<string[]> {
  if (hashes.length < 2) return [...hashes];
  const counted: { hash: string; count: number }[] = [];
  for (const hash of hashes) {
    const found = query.selectFrom('order_words').select('hash').where('hash', '=', hash).limit(MAX_COUNTED);
    counted.push({ hash, count: (await found.execute()).length });
  }
  return counted.toSorted((a, b) => a.count - b.count).map(({ hash }) => hash);
}

/** Returns a page of the transactions among the first `maxRead` candidates that have all words and the status. */
async function listAmong<Tables extends keyof Schema>(
  query: Query,
  merchantId: string,
  candidates: SelectQueryBuilder<Schema, Tables, Position>,
  words: readonly string[],
  { status, statusAfter, statusUntil, hasSharedOrderRef: isShared }: TransactionFilters,
  { limit, maxRead = MAX_READ }: SearchedPage,
): Promise<FoundRows> {
  const last = await candidates
    .offset(maxRead - 1)
    .limit(1)
    .executeTakeFirst();
  const withRows = query
    .selectFrom(candidates.limit(maxRead).as('candidates'))
    .crossJoin('transactions')
    .selectAll('transactions')
    .whereRef('transactions.id', '=', 'candidates.id');
  // The other filters follow after a limit. PostgreSQL would otherwise read all transactions, because it expects few with a status.
  let rows = query.selectFrom(withRows.limit(maxRead).as('found')).selectAll();
  rows = rows.where('merchantId', '=', merchantId);
  for (const hash of words) {
    // A value instead of `exists`, for which PostgreSQL would read all purchases with the word.
    const found = query
      .selectFrom('order_words')
      .select('hash')
      .where('hash', '=', hash)
      .whereRef('order_words.createdAt', '=', sql.ref('found.createdAt'))
      .whereRef('order_words.transactionId', '=', sql.ref('found.id'));
    rows = rows.where(found, '=', hash);
  }
  if (status !== undefined) rows = rows.where('status', '=', status);
  if (statusAfter !== undefined) rows = rows.where('statusSince', '>', statusAfter);
  if (statusUntil !== undefined) rows = rows.where('statusSince', '<=', statusUntil);
  if (isShared) rows = rows.where(hasSharedOrderRef(query, 'found'));
  const found = await rows.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return { rows: found, until: found.length < limit ? last : undefined };
}

/** Opens the transactions of a page. Leaves damaged ones out. */
export function openTransactions(query: Query, rows: readonly StoredRow[]): Promise<Transaction[]> {
  return openRows(query, rows, (row) => openTransaction(query, row));
}

/** Returns the position of a merchant's transaction in lists; undefined if it does not exist. */
export async function positionOfTransaction(query: Query, merchantId: string, id: string): Promise<Position | undefined> {
  const rows = query.selectFrom('transactions').select(['createdAt', 'id']).where('id', '=', id);
  return rows.where('merchantId', '=', merchantId).executeTakeFirst();
}
