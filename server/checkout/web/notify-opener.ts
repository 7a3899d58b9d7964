import { errorUrlOf } from './redirects.ts';
import type { Session } from '../session/session.ts';
import { hasFailed } from '../session/progress.ts';

/** Sent to the page of a shop that shows a checkout in a frame or a window. It is a hint: the shop's server reads the transaction from ours. */
export type ShopMessage =
  | { source: 'fairterm'; type: 'completed'; transactionId: string; orderRef: string }
  | { source: 'fairterm'; type: 'not-completed'; orderRef: string; errorUrl?: string };

/**
 * Returns the message that a page of the checkout sends when it is shown, or undefined while the checkout goes on.
 *
 * @param isFailure - Whether the page ends a checkout that has failed, at whatever step.
 */
export function shopMessage(session: Session, isFailure = hasFailed(session)): ShopMessage | undefined {
  const { orderRef = '' } = session.purchase.options;
  if (session.reached === 'completed') {
    return { source: 'fairterm', type: 'completed', transactionId: session.transactionId, orderRef };
  }
  if (isFailure) return leavingMessage(session);
  // The buyer reads the notice before they leave.
  return session.reached === 'declined' ? { source: 'fairterm', type: 'not-completed', orderRef } : undefined;
}

/** Asks the shop's page to go to `errorUrl`: the buyer leaves the checkout without a purchase. */
export function leavingMessage(session: Session): ShopMessage {
  const { orderRef = '' } = session.purchase.options;
  return { source: 'fairterm', type: 'not-completed', orderRef, errorUrl: errorUrlOf(session) };
}
