import type { OrderIdRequest, ShipmentRequest } from '../../shared/wire/transaction.ts';
import type { Instant } from '../time.ts';
import { lockTransactionAt } from './expire.ts';
import { statusAfter } from './lifecycle.ts';
import type { TransactionDeps, TransactionName } from './deps.ts';
import { saveTransaction, type TransactionEvent, type TransactionRow } from './store.ts';

/**
 * Sets the merchant's own order id, in any state: an order may be renumbered when all is over.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`
 */
export function setOrderId(
  { database, lifetimes }: TransactionDeps,
  name: TransactionName,
  { merchantOrderId }: OrderIdRequest,
  now: Instant,
): Promise<TransactionRow> {
  return database.write(async (tx) => {
    const row = await lockTransactionAt(tx, lifetimes, name, now);
    const after = { ...row, merchant_order_id: merchantOrderId ?? row.merchant_order_id };
    const isSame = after.merchant_order_id === row.merchant_order_id;
    return isSame ? row : saveTransaction(tx, after, eventOf('order-id-set', now));
  });
}

/**
 * Tells how the order is shipped, before or after it is settled; what is said again replaces what was said.
 *
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`, `wrong-state` - there is nothing to ship any more.
 */
export function ship(
  { database, lifetimes }: TransactionDeps,
  name: TransactionName,
  { trackingNumber, carrierName }: ShipmentRequest,
  now: Instant,
): Promise<TransactionRow> {
  return database.write(async (tx) => {
    const row = await lockTransactionAt(tx, lifetimes, name, now);
    statusAfter('ship', row.status, row.adjusted_total_cents);
    const after = {
      ...row,
      tracking_number: trackingNumber ?? row.tracking_number,
      carrier_name: carrierName ?? row.carrier_name,
    };
    const isSame = after.tracking_number === row.tracking_number && after.carrier_name === row.carrier_name;
    return isSame ? row : saveTransaction(tx, after, eventOf('shipped', now));
  });
}

function eventOf(type: 'order-id-set' | 'shipped', at: Instant): TransactionEvent {
  return { type, amount_cents: 0, at };
}
