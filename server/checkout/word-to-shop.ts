import type { Session } from './session.ts';

/** What the shop's page is told of a checkout in its frame or window. It is a hint; the shop's server asks ours. */
export type WordToShop =
  | { source: 'fairterm'; type: 'completed'; transactionId: string; orderRef: string }
  | { source: 'fairterm'; type: 'not-completed'; orderRef: string };

/** The ends that come to nothing: to the shop they are all alike. */
const NOT_COMPLETED: readonly string[] = ['unavailable', 'declined', 'cancelled', 'expired'];

/** @returns Undefined while it goes on. */
export function wordToShop(session: Session): WordToShop | undefined {
  const { orderRef = '' } = session.purchase.options;
  if (session.reached === 'completed') {
    return { source: 'fairterm', type: 'completed', transactionId: session.transactionId, orderRef };
  }
  return NOT_COMPLETED.includes(session.reached) ? { source: 'fairterm', type: 'not-completed', orderRef } : undefined;
}
