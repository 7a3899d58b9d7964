import type { Session } from './session.ts';

/** What the shop's page is told of a checkout in its frame or window. It is a hint; the shop's server asks ours. */
export type WordToShop =
  | { source: 'fairterm'; type: 'completed'; transactionId: string; orderRef: string }
  | { source: 'fairterm'; type: 'not-completed'; orderRef: string };

/** The ends that come to nothing: to the shop they are all alike. */
const NOT_COMPLETED: readonly string[] = ['unavailable', 'declined', 'cancelled', 'expired'];

/** @returns Undefined while it goes on. */
export function wordToShop({ reached, cart, options }: Pick<Session, 'reached' | 'cart' | 'options'>): WordToShop | undefined {
  const { orderRef = '' } = options;
  if (reached === 'completed') {
    return { source: 'fairterm', type: 'completed', transactionId: cart.transaction_id!, orderRef };
  }
  return NOT_COMPLETED.includes(reached) ? { source: 'fairterm', type: 'not-completed', orderRef } : undefined;
}
