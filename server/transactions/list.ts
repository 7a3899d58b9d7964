import { TransactionQuery, TransactionStatus } from '../../shared/wire/transaction.ts';
import type { Query } from '../db/database.ts';
import { expectedInLists, newestFirst } from '../http/newest-first.ts';
import { oneOf, parseQuery, type QueryRules, type ReceivedQuery } from '../http/query.ts';
import type { Instant } from '../time.ts';
import { EXPIRABLE, expiryCutoff, hasExpired, type Lifetimes } from './lifecycle.ts';
import { listTransactions, openTransactions, positionOfTransaction, type Transaction } from './store.ts';

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
 * Returns a page of a merchant's transactions, the newest first, as they are at `now`: EXPIRED if they are past their lifetime, even if
 * the job has not yet run. Only the filter for EXPIRED selects by the stored status, which the job updates.
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
  const { cartId, status, ...parameters } = parseQuery(received, rules);
  const expirable = EXPIRABLE.find((candidate) => candidate === status);
  const filters = {
    ...parameters,
    cartId: cartId?.toLowerCase(),
    status,
    statusAfter: expirable && expiryCutoff(expirable, lifetimes, now),
  };
  const page = await newestFirst(parameters, (id) => positionOfTransaction(query, merchantId, id));
  // One more than the limit shows whether there is another page.
  const rows = await listTransactions(query, merchantId, filters, { ...page, limit: page.limit + 1 });
  const shown = rows.slice(0, page.limit);
  const opened = await openTransactions(query, shown);
  return {
    transactions: opened.map((row) => (hasExpired(row, lifetimes, now) ? { ...row, status: 'EXPIRED' } : row)),
    next: rows.length > shown.length ? shown.at(-1)?.id : undefined,
  };
}
