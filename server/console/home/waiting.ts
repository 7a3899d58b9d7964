import { EXPIRING_DAYS } from '../orders/orders.ts';
import type { Query } from '../../db/database.ts';
import { countFailing } from '../../messages/store.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { EXPIRABLE, type Expirable } from '../../purchases/transactions/lifecycle.ts';
import { countInStatus } from '../../purchases/transactions/store.ts';
import type { Transactions } from '../../purchases/transactions/transactions.ts';

/** More are shown as `1,000+`. */
export const MAX_COUNTED = 1_000;

/** Days for which a delivery that failed is shown. */
export const FAILED_DAYS = 7;

/** Numbers of purchases and deliveries that wait for a merchant, each at most `MAX_COUNTED`. */
export interface Waiting {
  toAuthorize: number;
  /** Authorized purchases, which are shipped and settled next. */
  toShip: number;
  /** Both kinds within `EXPIRING_DAYS` of their expiry. */
  expiring: number;
  /** Callbacks and events of the last days that were not delivered. */
  failedDeliveries: number;
}

/** Returns what waits for a merchant. Reads at most `MAX_COUNTED` rows for each number, whatever the number of transactions. */
export async function readWaiting(query: Query, transactions: Transactions, merchantId: string, now: Instant): Promise<Waiting> {
  const limit = MAX_COUNTED;
  const afterOf = (status: Expirable) => transactions.expiryCutoff(status, now);
  const [toAuthorize, toShip, failedDeliveries, ...expiring] = await Promise.all([
    countInStatus(query, merchantId, 'PENDING', { after: afterOf('PENDING'), limit }),
    countInStatus(query, merchantId, 'AUTHORIZED', { after: afterOf('AUTHORIZED'), limit }),
    countFailing(query, merchantId, plusDays(now, -FAILED_DAYS), limit),
    ...EXPIRABLE.map((status) => {
      const after = afterOf(status);
      return countInStatus(query, merchantId, status, { after, until: plusDays(after, EXPIRING_DAYS), limit });
    }),
  ]);
  return {
    toAuthorize,
    toShip,
    failedDeliveries,
    expiring: Math.min(
      limit,
      expiring.reduce((sum, count) => sum + count),
    ),
  };
}
