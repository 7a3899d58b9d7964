import { errorUrlOf } from './redirects.ts';
import type { Session } from './session.ts';
import { hasFailed } from './steps.ts';

/** What the shop's page is told of a checkout in its frame or window. It is a hint; the shop's server asks ours. */
export type WordToShop =
  | { source: 'fairterm'; type: 'completed'; transactionId: string; orderRef: string }
  | { source: 'fairterm'; type: 'not-completed'; orderRef: string; errorUrl?: string };

/**
 * What the shop's page is told when a page is shown; undefined while the checkout goes on.
 *
 * @param isFailure - Whether the page ends a checkout that has failed, at whatever step.
 */
export function wordToShop(session: Session, isFailure = hasFailed(session)): WordToShop | undefined {
  const { orderRef = '' } = session.purchase.options;
  if (session.reached === 'completed') {
    return { source: 'fairterm', type: 'completed', transactionId: session.transactionId, orderRef };
  }
  if (isFailure) return leavingWord(session);
  // The buyer reads the notice before they leave.
  return session.reached === 'declined' ? { source: 'fairterm', type: 'not-completed', orderRef } : undefined;
}

/** Has the shop's page go to `errorUrl`: the buyer leaves a checkout without a purchase. */
export function leavingWord(session: Session): WordToShop {
  const { orderRef = '' } = session.purchase.options;
  return { source: 'fairterm', type: 'not-completed', orderRef, errorUrl: errorUrlOf(session) };
}
