import { TransactionQuery, TransactionStatus } from '../../../shared/wire/transaction.ts';
import type { Query } from '../../db/database.ts';
import type { Position } from '../../db/newest-first.ts';
import { choicesOf, expectedInLists, newestFirst, parseQuery, type QueryRules, type ReceivedQuery } from '../../http/query.ts';
import type { Instant } from '../../base/time.ts';
import { EXPIRABLE } from './lifecycle.ts';
import {
  type FoundRows,
  listTransactions,
  openTransactions,
  positionOfTransaction,
  type SearchedPage,
  type TransactionFilters,
} from './list-store.ts';
import type { Transaction } from './store.ts';
import type { Transactions } from './transactions.ts';

const REFERENCE = 'one line of 1 to 200 characters';

const rules: QueryRules<TransactionQuery> = {
  struct: TransactionQuery,
  expected: {
    orderRef: REFERENCE,
    merchantOrderId: REFERENCE,
    cartId: 'a UUID',
    status: choicesOf(TransactionStatus),
    ...expectedInLists,
  },
};

export interface TransactionPage {
  transactions: Transaction[];
  /** The last transaction of the page if there are more; undefined on the last page. */
  next: string | undefined;
  /** The time of the last transaction that a limited search read, if there may be older ones that it selects: they follow `next`. */
  readUntil?: Instant | undefined;
}

/**
 * Returns a page of a merchant's transactions that query parameters describe.
 *
 * @throws ServiceError `invalid-request` - names the first invalid parameter.
 */
export async function readTransactionPage(
  query: Query,
  transactions: Transactions,
  merchantId: string,
  received: ReceivedQuery,
  now: Instant,
): Promise<TransactionPage> {
  const { cartId, ...parameters } = parseQuery(received, rules);
  const page = await newestFirst(parameters, (id) => positionOfTransaction(query, merchantId, id));
  return readTransactions(query, transactions, merchantId, [{ ...parameters, cartId: cartId?.toLowerCase() }], page, now);
}

/**
 * Returns a page of the transactions that any of the filters select, the newest first, as they are at `now`: EXPIRED if they are past their
 * lifetime, even if the job has not yet run. Only the filter for EXPIRED selects by the stored status, which the job updates.
 */
export async function readTransactions(
  query: Query,
  transactions: Transactions,
  merchantId: string,
  alternatives: readonly TransactionFilters[],
  page: SearchedPage,
  now: Instant,
): Promise<TransactionPage> {
  const { limit } = page;
  let readUntil: Position | undefined;
  const found = new Map<string, FoundRows['rows'][number]>();
  for (const filters of alternatives) {
    const expirable = EXPIRABLE.find((candidate) => candidate === filters.status);
    const statusAfter = expirable && transactions.expiryCutoff(expirable, now);
    // One more than the limit shows whether there is another page.
    const { rows, until } = await listTransactions(query, merchantId, { ...filters, statusAfter }, { ...page, limit: limit + 1 });
    if (until && (!readUntil || inOrder(until, readUntil) < 0)) readUntil = until;
    for (const row of rows) found.set(row.id, row);
  }
  // What is older than the end of one search is left to the next page, which all searches continue with.
  const sorted = [...found.values()].filter((row) => !readUntil || inOrder(row, readUntil) <= 0).toSorted(inOrder);
  const shown = sorted.slice(0, limit);
  const opened = await openTransactions(query, shown);
  const isFull = sorted.length > limit;
  return {
    transactions: opened.map((row) => transactions.at(row, now)),
    next: isFull ? shown.at(-1)?.id : readUntil?.id,
    readUntil: isFull ? undefined : readUntil?.createdAt,
  };
}

/** Compares two positions in a list. */
function inOrder(a: Position, b: Position): number {
  return compare(b.createdAt, a.createdAt) || compare(b.id, a.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
