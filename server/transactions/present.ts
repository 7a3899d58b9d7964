import type { Transaction } from '../../shared/wire/transaction.ts';
import type { TransactionRow } from './store.ts';

/** Fields that are stored as JSON in the format of the response. */
type Stored = 'lineItems' | 'discounts' | 'billingContact' | 'shippingContact';

/** Returns the JSON of a transaction in the merchant API. Fields that are stored as JSON are inserted without parsing. */
export function presentTransaction(row: TransactionRow): string {
  const fields: Omit<Transaction, Stored> = {
    serviceTransactionId: row.id,
    status: row.status,
    createdAt: row.created_at,
    orderRef: row.order_ref,
    merchantOrderId: row.merchant_order_id,
    total: row.total_cents,
    adjustedTotal: row.adjusted_total_cents,
    totalTax: row.tax_cents,
    shippingCost: row.shipping_cents,
    shippingMethodCode: row.shipping_method_code,
    shippingMethodName: row.shipping_method_name,
    trackingNumber: row.tracking_number,
    carrierName: row.carrier_name,
  };
  const { line_items_json: lineItems, discounts_json: discounts } = row;
  const { billing_contact_json: billing, shipping_contact_json: shipping } = row;
  const stored = `"lineItems":${lineItems},"discounts":${discounts},"billingContact":${billing},"shippingContact":${shipping}`;
  return `${JSON.stringify(fields).slice(0, -1)},${stored}}`;
}
