import type { Transaction as PresentedTransaction } from '../../shared/wire/transaction.ts';
import type { Transaction } from './store.ts';

/** Presents a transaction in the merchant API. */
export function presentTransaction(transaction: Transaction): PresentedTransaction {
  return {
    serviceTransactionId: transaction.id,
    status: transaction.status,
    createdAt: transaction.createdAt,
    orderRef: transaction.orderRef,
    merchantOrderId: transaction.merchantOrderId,
    total: transaction.totalCents,
    adjustedTotal: transaction.adjustedTotalCents,
    totalTax: transaction.taxCents,
    shippingCost: transaction.shippingCents,
    shippingMethodCode: transaction.shippingMethodCode,
    shippingMethodName: transaction.shippingMethodName,
    trackingNumber: transaction.trackingNumber,
    carrierName: transaction.carrierName,
    lineItems: transaction.lineItems,
    discounts: transaction.discounts,
    billingContact: transaction.billingContact,
    shippingContact: transaction.shippingContact,
  };
}
