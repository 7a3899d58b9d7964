import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { BYTE_ORDER_MARK, type CsvColumn, csvHeader, csvRows, fieldColumns } from '../../base/csv.ts';
import type { Instant } from '../../base/time.ts';
import type { TransactionPage } from './list.ts';
import { currenciesOf, type Transaction } from './store.ts';

/** Most rows of a file, and rows that are read in one turn of the event loop. */
const MAX_ROWS = 5_000;
const ROWS_AT_ONCE = 50;

/** Files that are made at a time, one for each tenant. */
const MAX_FILES = 3;
const tenantsExporting = new Set<string>();

const COLUMNS: readonly CsvColumn<Transaction & { currency: string }>[] = [
  ['transactionId', ({ id }) => id],
  ...fieldColumns('createdAt', 'orderRef', 'merchantOrderId', 'status'),
  ['total', ({ totalCents }) => totalCents],
  ['adjustedTotal', ({ adjustedTotalCents }) => adjustedTotalCents],
  ...fieldColumns('currency'),
  ['buyer', ({ billingContact }) => billingContact.fullName],
  ['email', ({ billingContact }) => billingContact.email],
  ['phone', ({ billingContact }) => billingContact.phone],
  ...fieldColumns('trackingNumber'),
];

/**
 * Returns transactions as a CSV file, and records who exported how many. Others' requests run between the pages that are read.
 *
 * @param readPage - Returns a page of the transactions after the one with an id, or the first page.
 * @throws ServiceError `rate-limited` - another user of the tenant, or enough other tenants, are exporting.
 */
export async function exportTransactions(
  database: Database,
  { id: userId, tenantId }: { id: string; tenantId: string },
  merchantId: string,
  readPage: (limit: number, after: string | undefined) => Promise<TransactionPage>,
  now: Instant,
): Promise<{ body: string; rowCount: number; isCut: boolean }> {
  if (tenantsExporting.has(tenantId) || tenantsExporting.size >= MAX_FILES) {
    const details = { retryAfterSeconds: '5' };
    throw new ServiceError('rate-limited', 'Expected one file at a time; retry after the other one.', { details });
  }
  tenantsExporting.add(tenantId);
  try {
    const rows: string[] = [];
    let after: string | undefined;
    do {
      const { transactions, next } = await readPage(ROWS_AT_ONCE, after);
      const ids = transactions.map(({ id }) => id);
      const currencies = await currenciesOf(database.query, ids);
      for (const row of transactions) rows.push(csvRows(COLUMNS, [{ ...row, currency: currencies.get(row.id) ?? '' }]));
      after = next;
      await setImmediate();
    } while (after !== undefined && rows.length < MAX_ROWS);
    const about = { actor: `user:${userId}`, merchantId, details: { rows: String(rows.length) } } as const;
    const event = newSecurityEvent({ kind: 'orders-exported', ...about }, now);
    await database.write((tx) => addSecurityEvents(tx, event));
    return { body: BYTE_ORDER_MARK + csvHeader(COLUMNS) + rows.join(''), rowCount: rows.length, isCut: after !== undefined };
  } finally {
    tenantsExporting.delete(tenantId);
  }
}
