import type { ActionRequest } from '../../shared/wire/transaction.ts';
import type { Database } from '../db/database.ts';
import type { Instant } from '../time.ts';
import { statusAfter } from './lifecycle.ts';
import { lineItemsOf } from './line-items.ts';
import { getTransaction, saveTransaction, type TransactionEvent, type TransactionRow } from './store.ts';

export interface Decision {
  after: TransactionRow;
  event: TransactionEvent;
}

/**
 * Carries out one action: read, decide, save, all in one database transaction.
 *
 * @throws ServiceError `transaction-not-found`, `wrong-state`, `changed-meanwhile`
 */
export function act(
  database: Database,
  merchantId: string,
  id: string,
  request: ActionRequest,
  now: Instant,
): Promise<TransactionRow> {
  return database.write(async (tx) => {
    const row = await getTransaction(tx, merchantId, id);
    const { after, event } = decide(row, request, now);
    return saveTransaction(tx, after, event);
  });
}

/** The transaction as it should be after `request`, and what the journal says about it. Touches no database, no clock. */
export function decide(row: TransactionRow, request: ActionRequest, now: Instant): Decision {
  const status = statusAfter(request.type, row.status);
  return {
    after: {
      ...row,
      status,
      merchant_order_id: request.merchantOrderId ?? row.merchant_order_id,
      line_items_json: request.lineItems?.length ? JSON.stringify(lineItemsOf(request.lineItems)) : row.line_items_json,
    },
    event: { type: 'authorized', amount_cents: row.adjusted_total_cents, at: now },
  };
}
