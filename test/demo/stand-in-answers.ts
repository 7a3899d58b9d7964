import { randomUUID } from 'node:crypto';
import type { Cart, CartOptions, Transaction } from 'fairterm/client';

const nobody = { fullName: '', address: '', address2: '', city: '', state: '', zip: '', email: '', phone: '' };
const asLowAs = {
  monthly: 0,
  amount: '',
  termLength: 0,
  termInterval: 'Month',
  apr: 0,
  minApr: 0,
  maxApr: 0,
  asLowAsText: '',
};

/** A cart as the interface has it; the shop cares for its `url`. */
export function cartAnswer(url: string, options: CartOptions): Omit<Cart, 'options'> & { options: CartOptions } {
  const named = { merchantId: randomUUID(), cartName: '', createdBy: 'Merchant API', isCustomTotal: false };
  return { id: randomUUID(), url, expiration: '2030-01-01', ...named, options, asLowAs };
}

/** A PENDING transaction as the interface has it, of `total` cents; say only what matters. */
export function transactionAnswer(total: number, shippingMethodCode: string): Transaction {
  return {
    serviceTransactionId: randomUUID(),
    status: 'PENDING',
    createdAt: '2026-11-21T12:00:00.000000Z',
    merchantOrderId: '',
    total,
    adjustedTotal: total,
    totalTax: null,
    shippingCost: 0,
    shippingMethodCode,
    shippingMethodName: '',
    trackingNumber: '',
    carrierName: '',
    lineItems: [],
    discounts: [],
    billingContact: nobody,
    shippingContact: nobody,
  };
}
