import { TransactionQuery, TransactionStatus } from '../../shared/wire/transaction.ts';
import type { Query } from '../db/database.ts';
import type { NewestFirst } from '../db/newest-first.ts';
import { expectedInLists, newestFirst } from '../http/newest-first.ts';
import { oneOf, parseQuery, type QueryRules, type ReceivedQuery } from '../http/query.ts';
import type { Instant } from '../time.ts';
import { EXPIRABLE, expiryCutoff, hasExpired, type Lifetimes } from './lifecycle.ts';
import { listTransactions, openTransactions, positionOfTransaction, type TransactionFilters } from './list-store.ts';
import type { Transaction } from './store.ts';

const REFERENCE = 'one line of 1 to 200 characters';

const rules: QueryRules<TransactionQuery> = {
  struct: TransactionQuery,
  expected: {
    orderRef: REFERENCE,
    merchantOrderId: REFERENCE,
    cartId: 'a UUID',
    status: oneOf(TransactionStatus),
    ...expectedInLists,
  },
};

export interface TransactionPage {
  transactions: Transaction[];
  /** The last transaction of the page if there are more; undefined on the last page. */
  next: string | undefined;
}

/**
 * Returns a page of a merchant's transactions that query parameters describe.
 *
 * @throws ServiceError `invalid-request` - names the first invalid parameter.
 */
export async function readTransactionPage(
  query: Query,
  lifetimes: Lifetimes,
  merchantId: string,
  received: ReceivedQuery,
  now: Instant,
): Promise<TransactionPage> {
  const { cartId, ...parameters } = parseQuery(received, rules);
  const page = await newestFirst(parameters, (id) => positionOfTransaction(query, merchantId, id));
  return readTransactions(query, lifetimes, merchantId, [{ ...parameters, cartId: cartId?.toLowerCase() }], page, now);
}

/**
 * Returns a page of the transactions that any of the filters select, the newest first, as they are at `now`: EXPIRED if they are past their
 * lifetime, even if the job has not yet run. Only the filter for EXPIRED selects by the stored status, which the job updates.
 */
export async function readTransactions(
  query: Query,
  lifetimes: Lifetimes,
  merchantId: string,
  alternatives: readonly TransactionFilters[],
  page: NewestFirst,
  now: Instant,
): Promise<TransactionPage> {
  const { limit } = page;
  const found = new Map<string, Awaited<ReturnType<typeof listTransactions>>[number]>();
  for (const filters of alternatives) {
    const expirable = EXPIRABLE.find((candidate) => candidate === filters.status);
    const statusAfter = expirable && expiryCutoff(expirable, lifetimes, now);
    // One more than the limit shows whether there is another page.
    const rows = await listTransactions(query, merchantId, { ...filters, statusAfter }, { ...page, limit: limit + 1 });
    for (const row of rows) found.set(row.id, row);
  }
  const sorted = [...found.values()].toSorted((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id));
  const shown = sorted.slice(0, limit);
  const opened = await openTransactions(query, shown);
  return {
    transactions: opened.map((row) => (hasExpired(row, lifetimes, now) ? { ...row, status: 'EXPIRED' } : row)),
    next: sorted.length > limit ? shown.at(-1)?.id : undefined,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
