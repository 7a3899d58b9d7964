import type { LineItem, Transaction, TransactionContact } from '../../shared/wire/transaction.ts';
import type { Discount } from '../../shared/wire/cart.ts';
import type { TransactionRow } from './store.ts';

/** A transaction as the merchant API answers it. */
export function presentTransaction(row: TransactionRow): Transaction {
  return {
    serviceTransactionId: row.id,
    status: row.status,
    createdAt: row.created_at,
    merchantOrderId: row.merchant_order_id,
    total: row.total_cents,
    adjustedTotal: row.adjusted_total_cents,
    totalTax: row.tax_cents,
    shippingCost: row.shipping_cents,
    shippingMethodCode: row.shipping_method_code,
    shippingMethodName: row.shipping_method_name,
    trackingNumber: row.tracking_number,
    carrierName: row.carrier_name,
    lineItems: JSON.parse(row.line_items_json) as LineItem[],
    discounts: JSON.parse(row.discounts_json) as Discount[],
    billingContact: JSON.parse(row.billing_contact_json) as TransactionContact,
    shippingContact: JSON.parse(row.shipping_contact_json) as TransactionContact,
  };
}
