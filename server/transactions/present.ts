import type { Transaction } from '../../shared/wire/transaction.ts';
import type { TransactionRow } from './store.ts';

/** Fields that are stored as JSON in the format of the response. */
type Stored = 'lineItems' | 'discounts' | 'billingContact' | 'shippingContact';

/** Returns the JSON of a transaction in the merchant API. Fields that are stored as JSON are inserted without parsing. */
export function presentTransaction(row: TransactionRow): string {
  const fields: Omit<Transaction, Stored> = {
    serviceTransactionId: row.id,
    status: row.status,
    createdAt: row.createdAt,
    orderRef: row.orderRef,
    merchantOrderId: row.merchantOrderId,
    total: row.totalCents,
    adjustedTotal: row.adjustedTotalCents,
    totalTax: row.taxCents,
    shippingCost: row.shippingCents,
    shippingMethodCode: row.shippingMethodCode,
    shippingMethodName: row.shippingMethodName,
    trackingNumber: row.trackingNumber,
    carrierName: row.carrierName,
  };
  const { lineItemsJson: lineItems, discountsJson: discounts } = row;
  const { billingContactJson: billing, shippingContactJson: shipping } = row;
  const stored = `"lineItems":${lineItems},"discounts":${discounts},"billingContact":${billing},"shippingContact":${shipping}`;
  return `${JSON.stringify(fields).slice(0, -1)},${stored}}`;
}
