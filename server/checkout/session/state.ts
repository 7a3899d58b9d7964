import { isDecisionPending, isFinallyIneligible, isIncomplete, isOrderClosed } from '../../lending/applications/lifecycle.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import type { Application } from '../../lending/applications/store.ts';
import { cartStatusAt } from '../../purchases/carts/carts.ts';
import type { Cart } from '../../purchases/carts/store.ts';
import type { Instant } from '../../base/time.ts';

/**
 * State of a checkout with an application. `open`: the buyer has a form to fill in, which the registry of steps selects; `waiting`: for
 * a lender; `closed`: approved, but the cart had ended; `excluded`: no plan is sold in the buyer's state; `superseded`: replaced by
 * another application.
 */
export type State =
  | 'open'
  | 'waiting'
  | 'needs-action'
  | 'closed'
  | 'unavailable'
  | 'excluded'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'superseded'
  | 'completed';

/**
 * State of a cart's link, which is the same to everyone. `new`: the first form, while there is no application; `in-progress`: an
 * application, also a denied one; `ended`: an application without a purchase and without a notice; `signed`; `bought`. The link does not
 * show the reason for which an application has ended.
 */
export type LinkState = 'new' | 'unavailable' | 'expired' | 'in-progress' | 'ended' | 'signed' | 'bought';

/** The columns of an application that decide its state. */
type Progress = Pick<Application, 'status' | 'statusCode' | 'expiresAt' | 'supersededAt'>;

/** States without a purchase. */
const FAILED: readonly string[] = ['unavailable', 'cancelled', 'expired', 'ended'];

/**
 * Returns true for a checkout without a purchase and without a page to read, which redirects the buyer to `errorUrl`: the buyer canceled
 * it, or has not submitted a form.
 */
export function hasFailed(position: Position): boolean {
  return FAILED.includes(position.state) && !endsWithPage(position);
}

/**
 * Returns true for a checkout without a purchase that ends with a page to read: the notice of a denial or of an approval that cannot be
 * used, an expired link, or any other failure after the buyer submitted a form.
 */
export function endsWithPage({ state, application }: Position): boolean {
  return (
    state === 'declined' || state === 'closed' || state === 'expired' || (state === 'unavailable' && application !== undefined)
  );
}

/**
 * Returns true if a form at the cart's link can start an application.
 *
 * @param isRestart - Whether the application replaces another one.
 */
export function canStart({ state }: Pick<Position, 'state'>, isRestart: boolean): boolean {
  return isRestart ? state === 'in-progress' || state === 'ended' : state === 'new';
}

/**
 * Returns the state of a cart's link.
 *
 * @param application - The current application of the cart.
 * @param isFinanceable - Whether the program has a plan for a possible total of the cart.
 */
export function linkState(cart: Cart, application: Progress | undefined, isFinanceable: boolean, now: Instant): LinkState {
  if (application?.status === 'CHECKOUT_COMPLETED') return 'bought';
  if (application?.status === 'ATTEMPTED_CHECKOUT') return 'signed';
  if (cartStatusAt(cart, now) !== 'OPEN') return 'expired';
  // As if the program had a plan: the link does not show whether one is sold in the buyer's state.
  if (application) return FAILED.includes(checkoutState(cart, application, true, now)) ? 'ended' : 'in-progress';
  return isFinanceable ? 'new' : 'unavailable';
}

/**
 * Returns the state of a checkout with an application.
 *
 * @param isFinanceable - Whether the program has a plan for this amount in the buyer's state.
 */
export function checkoutState(cart: Cart, application: Progress, isFinanceable: boolean, now: Instant): State {
  if (application.supersededAt !== null) return 'superseded';
  if (application.status === 'CHECKOUT_COMPLETED') return 'completed';
  const final = finalState(application);
  if (final) return final;
  // It does not end with its cart. Past its deadline, the background job denies it within seconds.
  if (isDecisionPending(application)) return 'waiting';
  if (isOrderClosed(application)) return application.expiresAt > now ? 'closed' : 'expired';
  if (!isIncomplete(application) && cartStatusAt(cart, now) !== 'OPEN') return 'expired';
  if (application.statusCode === statusCodes.INELIGIBLE['no-plan-in-state']) return 'excluded';
  if (application.expiresAt <= now) return 'expired';
  if (application.status === 'NEEDS_ACTION') return 'needs-action';
  if (application.status !== 'STARTED') return 'open';
  return isFinanceable ? 'open' : 'excluded';
}

/** States that do not depend on the time. A checkout that was signed in time does not expire while the lender confirms. */
function finalState(application: Progress): State | undefined {
  const { status, statusCode } = application;
  if (status === 'DENIED') return 'declined';
  if (isFinallyIneligible(application)) return 'unavailable';
  // The merchant, or another application, has ended it.
  if (status === 'CANCELLED') return statusCode === statusCodes.CANCELLED['by-buyer'] ? 'cancelled' : 'expired';
  if (status === 'EXPIRED') return 'expired';
  if (status === 'ATTEMPTED_CHECKOUT') return 'waiting';
  return undefined;
}

type Position<A = Pick<Application, 'status'>> = { state: State | LinkState; application: A | undefined };

/** Returns true while the buyer may apply: before the request to the lender, or when the lender needs an action first. */
export function canApply({ state, application }: Position): boolean {
  return state === 'needs-action' || (state === 'open' && application?.status === 'STARTED');
}

/**
 * Returns true if the buyer has applied, and the lender could not be reached or has not received the request. A lender that has found the
 * application incomplete has answered.
 */
export function isUnanswered({ state, application }: Position<Application>): boolean {
  if (state !== 'open' || application?.status !== 'STARTED') return false;
  return application.requestId === null && application.decision === null && application.consents.length > 0;
}

/** Returns false when the buyer's details were deleted, so that the buyer has to enter them again. */
export function hasDetails({ detailsDeletedAt }: Pick<Application, 'detailsDeletedAt'>): boolean {
  return detailsDeletedAt === null;
}

/** Returns true while the buyer has an approval and may choose among its plans. */
export function isApproved({ state, application }: Position): boolean {
  return state === 'open' && application !== undefined && application.status !== 'STARTED';
}

/** Returns true when a plan, and a card where one is needed, is chosen, so that the agreement can be signed. */
export function canSign(session: Position): boolean {
  return isApproved(session) && ['CHECKOUT_PREPARED', 'CHECKOUT_EXTENDED'].includes(session.application!.status);
}
