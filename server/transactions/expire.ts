import type { Database, Query, Tx } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import type { Instant } from '../time.ts';
import { hasLapsed, lapsedSince, type Lifetimes, MORTAL, statusAfter } from './lifecycle.ts';
import { getTransaction, saveTransaction, type TransactionRow, waitingSince } from './store.ts';

/** How many the sweep looks up at a time. */
const BATCH = 100;

/**
 * The transaction as it is at `now`: one whose time is over is EXPIRED, whether or not the sweep has come by.
 *
 * @throws ServiceError `transaction-not-found`
 */
export async function readTransactionAt(
  query: Query,
  lifetimes: Lifetimes,
  merchantId: string,
  id: string,
  now: Instant,
): Promise<TransactionRow> {
  const row = await getTransaction(query, merchantId, id);
  return hasLapsed(row, lifetimes, now) ? { ...row, status: 'EXPIRED' } : row;
}

/**
 * The same for who is about to change it: that it has expired is written before. A change that is refused takes this back
 * with it; the sweep writes it then.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`
 */
export async function getTransactionAt(
  tx: Tx,
  lifetimes: Lifetimes,
  merchantId: string,
  id: string,
  now: Instant,
): Promise<TransactionRow> {
  const row = await getTransaction(tx, merchantId, id);
  if (!hasLapsed(row, lifetimes, now)) return row;
  const expired = { ...row, status: statusAfter('expire', row.status, row.adjusted_total_cents), status_since: now };
  return saveTransaction(tx, expired, { type: 'expired', amount_cents: row.adjusted_total_cents, at: now });
}

/**
 * Expires every transaction whose time is over. Each is written by itself, so that nobody waits for the sweep.
 *
 * @param mayGoOn - Asked before each; false ends the sweep, and the next one finds the rest.
 * @returns How many have expired.
 */
export async function expireLapsed(
  database: Database,
  lifetimes: Lifetimes,
  now: Instant,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  let count = 0;
  for (const status of MORTAL) {
    const since = lapsedSince(status, lifetimes, now);
    let expired: number;
    do {
      expired = 0;
      for (const { id, merchant_id } of await waitingSince(database.query, status, since, BATCH)) {
        if (!mayGoOn()) return count + expired;
        if (await expire(database, lifetimes, merchant_id, id, now)) expired += 1;
      }
      count += expired;
      // A batch of which none could be expired would be found again, and again.
    } while (expired > 0);
  }
  return count;
}

/** False when somebody else changed it meanwhile; what has lapsed still, the next sweep finds. */
async function expire(database: Database, lifetimes: Lifetimes, merchantId: string, id: string, now: Instant): Promise<boolean> {
  try {
    const { status } = await database.write((tx) => getTransactionAt(tx, lifetimes, merchantId, id, now));
    return status === 'EXPIRED';
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.refusal === 'changed-meanwhile') return false;
    throw thrown;
  }
}
