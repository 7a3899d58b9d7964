import type { CardPortion, CardPortionState, Transaction as PresentedTransaction } from '../../shared/wire/transaction.ts';
import { remainingCardCents } from './card.ts';
import type { Transaction } from './store.ts';

/** Presents a transaction in the merchant API. */
export function presentTransaction(transaction: Transaction): PresentedTransaction {
  return {
    serviceTransactionId: transaction.id,
    cartId: transaction.cartId,
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
    financing: transaction.financing ?? null,
    card: presentCard(transaction),
  };
}

/** Presents the card portion that remains after cancellations and refunds; null if all of the purchase is financed. */
function presentCard(transaction: Transaction): CardPortion | null {
  const { cardCents, adjustedTotalCents: leftCents } = transaction;
  if (cardCents === 0) return null;
  const amount = remainingCardCents({ leftCents, cardCents });
  return { amount, state: CARD_STATES[transaction.status], holdExpiresAt: null };
}

/** The card is held by the authorization, captured by the settlement, and released if the purchase ends before it. */
const CARD_STATES = {
  PENDING: 'pending',
  AUTHORIZED: 'held',
  SETTLED: 'captured',
  REFUNDED: 'refunded',
  CANCELED: 'released',
  EXPIRED: 'released',
} as const satisfies Record<PresentedTransaction['status'], CardPortionState>;
