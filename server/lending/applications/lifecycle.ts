import type { ApplicationStatus } from '../../../shared/wire/application.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import { ServiceError } from '../../base/errors.ts';
import type { ApplicationTable } from '../../db/schema.ts';

type Transition = { from: readonly ApplicationStatus[]; to: ApplicationStatus };

/** Statuses of applications that can be canceled and that expire. */
export const OPEN_STATUSES: readonly ApplicationStatus[] = [
  'STARTED',
  'NEEDS_ACTION',
  'APPROVED',
  'ATTEMPTED_PREPARE_CHECKOUT',
  'CHECKOUT_PREPARED',
  'CHECKOUT_EXTENDED',
];

/**
 * Allowed transitions of an application. Any other transition is rejected with `wrong-state`. Numbers in parentheses are status codes.
 *
 *   STARTED ──requestDecision──▶ STARTED (100100) ──approve──▶ APPROVED
 *      ▲                            ├──withdrawRequest──▶ STARTED (100000)
 *      │                            ├──deny──▶ DENIED
 *      │                            ├──rejectAmount──▶ INELIGIBLE
 *      │                            └──requireAction──▶ NEEDS_ACTION ──requestDecision──▶ STARTED (100100)
 *      └──restart── STARTED, NEEDS_ACTION, INELIGIBLE ──rejectState──▶ INELIGIBLE
 *
 *   An incomplete application is NEEDS_ACTION, or STARTED (100200) while the buyer changes their details. One that the lender does not
 *   decide is denied by the service. Both, and pending ones, do not depend on their cart. An approval whose cart has ended is APPROVED (200200,
 *   200300) until it expires.
 *
 *   APPROVED ──attemptPrepare──▶ ATTEMPTED_PREPARE_CHECKOUT (a card is required and missing)
 *      │                             │ prepare
 *      └──────────prepare──▶ CHECKOUT_PREPARED ──extend──▶ CHECKOUT_EXTENDED
 *                                    └──────attempt──────────┴──▶ ATTEMPTED_CHECKOUT (signed, not yet accepted by the lender)
 *                                                                     ├──complete──▶ CHECKOUT_COMPLETED
 *                                                                     └──withdraw──▶ DENIED
 *
 *   A buyer may choose another plan or card: `prepare` and `prepareAgain` then leave the status as it is.
 *
 *   any open status ──cancel──▶ CANCELLED
 *   any open status ──expire──▶ EXPIRED
 */
export const transitions = {
  requestDecision: { from: ['STARTED', 'NEEDS_ACTION'], to: 'STARTED' },
  withdrawRequest: { from: ['STARTED'], to: 'STARTED' },
  restart: { from: ['STARTED', 'NEEDS_ACTION', 'INELIGIBLE'], to: 'STARTED' },
  approve: { from: ['STARTED'], to: 'APPROVED' },
  deny: { from: ['STARTED'], to: 'DENIED' },
  rejectAmount: { from: ['STARTED'], to: 'INELIGIBLE' },
  rejectState: { from: ['STARTED', 'NEEDS_ACTION', 'INELIGIBLE'], to: 'INELIGIBLE' },
  requireAction: { from: ['STARTED'], to: 'NEEDS_ACTION' },
  attemptPrepare: { from: ['APPROVED', 'ATTEMPTED_PREPARE_CHECKOUT'], to: 'ATTEMPTED_PREPARE_CHECKOUT' },
  prepare: { from: ['APPROVED', 'ATTEMPTED_PREPARE_CHECKOUT', 'CHECKOUT_PREPARED'], to: 'CHECKOUT_PREPARED' },
  prepareAgain: { from: ['CHECKOUT_EXTENDED'], to: 'CHECKOUT_EXTENDED' },
  extend: { from: ['CHECKOUT_PREPARED'], to: 'CHECKOUT_EXTENDED' },
  attempt: { from: ['CHECKOUT_PREPARED', 'CHECKOUT_EXTENDED'], to: 'ATTEMPTED_CHECKOUT' },
  complete: { from: ['ATTEMPTED_CHECKOUT'], to: 'CHECKOUT_COMPLETED' },
  withdraw: { from: ['ATTEMPTED_CHECKOUT'], to: 'DENIED' },
  cancel: { from: OPEN_STATUSES, to: 'CANCELLED' },
  expire: { from: OPEN_STATUSES, to: 'EXPIRED' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** The reasons within the status that a transition leads to. */
type Reason<Name extends TransitionName> = keyof (typeof statusCodes)[(typeof transitions)[Name]['to']];

/**
 * Returns the status and code after a transition.
 *
 * @param reason - Reason within the new status; optional if the status has a `plain` code.
 * @throws ServiceError `wrong-state` - the transition is not allowed. @throws RangeError - the status has no such reason.
 */
export function applicationStatusAfter<Name extends TransitionName>(
  name: Name,
  status: ApplicationStatus,
  ...[reason]: 'plain' extends Reason<Name> ? [reason?: Reason<Name>] : [reason: Reason<Name>]
): { status: ApplicationStatus; statusCode: string } {
  const { from, to }: Transition = transitions[name];
  if (!from.includes(status)) {
    throw new ServiceError('wrong-state', `Cannot ${name} an application that is ${status}; it must be ${from.join(' or ')}.`);
  }
  const code = new Map(Object.entries<string>(statusCodes[to])).get(String(reason ?? 'plain'));
  if (code === undefined) throw new RangeError(`Expected a reason for ${to}, but received ${String(reason)}`);
  return { status: to, statusCode: code };
}

/** The columns of an application without a request to a lender. `server/checkout/waiting/lifecycle.ts` has the states of one. */
export const NO_LENDER_REQUEST = {
  requestLeasedUntil: null,
  requestDueAt: null,
  requestAttempts: 0,
  invalidOutcome: null,
  warnAt: null,
} as const;

/** Returns true if the application can be canceled and can expire. */
export function isOpenApplication({ status }: { status: ApplicationStatus }): boolean {
  return OPEN_STATUSES.includes(status);
}

/** Returns true if the lender's decision was requested and has not been received. */
export function isDecisionPending({ statusCode }: { statusCode: string }): boolean {
  return statusCode === statusCodes.STARTED['decision-pending'];
}

/** Returns true if the lender has responded to the pending request with a decision, which cannot be applied because the response is invalid. */
export function isDecided({ invalidOutcome }: Pick<ApplicationTable, 'invalidOutcome'>): boolean {
  return invalidOutcome === 'approved' || invalidOutcome === 'denied';
}

/** Returns true if the lender makes no such loan to anyone. Without a plan in the state, the buyer may enter another address. */
export function isFinallyIneligible({ status, statusCode }: { status: ApplicationStatus; statusCode: string }): boolean {
  return status === 'INELIGIBLE' && statusCode !== statusCodes.INELIGIBLE['no-plan-in-state'];
}

/** Returns true for an application that the lender needs an action of the buyer for, also while the buyer changes their details. */
export function isIncomplete({ status, statusCode }: { status: ApplicationStatus; statusCode: string }): boolean {
  return status === 'NEEDS_ACTION' || statusCode === statusCodes.STARTED.incomplete;
}

/** Returns true for an approval that cannot be used, because the cart had ended before the decision. */
export function isOrderClosed({ statusCode }: { statusCode: string }): boolean {
  return statusCode === statusCodes.APPROVED['order-closed'] || statusCode === statusCodes.APPROVED['order-closed-partial'];
}

/** Returns true if a lender has received the application and it is not decided, so that it does not end with its cart. */
export function outlivesCart(application: { status: ApplicationStatus; statusCode: string }): boolean {
  return isDecisionPending(application) || isIncomplete(application) || isOrderClosed(application);
}

/** Days for which an approval is valid, and days by which a buyer may extend it once; 0: not at all. */
export interface ApprovalTerms {
  approvalDays: number;
  extensionDays: number;
}
