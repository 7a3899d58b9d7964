import type { ApplicationStatus } from '../../shared/wire/application.ts';
import { ServiceError } from '../errors.ts';

/** Six-digit code of every status and of each reason within it. `plain` is the status without a reason. */
export const statusCodes = {
  STARTED: { plain: '100000', 'lender-asked': '100100' },
  APPROVED: { plain: '200000', 'for-a-part': '200100' },
  DENIED: {
    plain: '300000',
    'credit-history': '300100',
    income: '300200',
    debt: '300300',
    identity: '300400',
    withdrawn: '300900',
  },
  INELIGIBLE: { plain: '310000', 'no-plan-in-state': '310100' },
  NEEDS_ACTION: { 'unfreeze-credit-file': '400100', 'confirm-identity': '400200', 'correct-details': '400300' },
  ATTEMPTED_PREPARE_CHECKOUT: { plain: '500000' },
  CHECKOUT_PREPARED: { plain: '510000' },
  ATTEMPTED_CHECKOUT: { plain: '600000' },
  CHECKOUT_COMPLETED: { plain: '610000' },
  CHECKOUT_EXTENDED: { plain: '620000' },
  CANCELLED: { 'by-buyer': '700100', 'by-merchant': '700200', 'started-again': '700300' },
  EXPIRED: { undecided: '800100', 'approval-over': '800200' },
} as const satisfies Record<ApplicationStatus, Record<string, string>>;

type Move = { from: readonly ApplicationStatus[]; to: ApplicationStatus };

/** What a buyer can still turn away from, and what ends by itself when its time is over. */
export const OPEN = [
  'STARTED',
  'NEEDS_ACTION',
  'APPROVED',
  'ATTEMPTED_PREPARE_CHECKOUT',
  'CHECKOUT_PREPARED',
  'CHECKOUT_EXTENDED',
] as const satisfies readonly ApplicationStatus[];

/**
 * Every move an application makes. What is not in this table cannot happen.
 *
 *            ┌──restart── INELIGIBLE ◀─ exclude, ruleOut ─┐
 *            ▼                                            │
 *   ──▶ STARTED ─┬──────────────── ask, unask ──▶ STARTED ┤ (100100 while the lender is asked)
 *            ▲   │                                        ├─ deny ──▶ DENIED ◀─ withdraw ─┐
 *            │   └─ ruleOut ──▶ INELIGIBLE                ├─ approve ──▶ APPROVED         │
 *            └─ restart, ask ── NEEDS_ACTION ◀─ needAction┘                  │            │
 *                                                                            │            │
 *   APPROVED ── attemptPrepare ──▶ ATTEMPTED_PREPARE_CHECKOUT (the card for the rest is not there yet)
 *       │                              │ prepare                                          │
 *       └────────── prepare ──▶ CHECKOUT_PREPARED ── extend ──▶ CHECKOUT_EXTENDED         │
 *                                      │                              │                   │
 *                                      └────── attempt ───────────────┴─▶ ATTEMPTED_CHECKOUT (signed; the lender is told)
 *                                                                                         │ complete
 *                                                                                         ▼
 *   any open one ── cancel ──▶ CANCELLED, ── expire ──▶ EXPIRED                   CHECKOUT_COMPLETED
 */
export const moves = {
  ask: { from: ['STARTED', 'NEEDS_ACTION'], to: 'STARTED' },
  unask: { from: ['STARTED'], to: 'STARTED' },
  restart: { from: ['STARTED', 'NEEDS_ACTION', 'INELIGIBLE'], to: 'STARTED' },
  approve: { from: ['STARTED'], to: 'APPROVED' },
  deny: { from: ['STARTED'], to: 'DENIED' },
  exclude: { from: ['STARTED'], to: 'INELIGIBLE' },
  ruleOut: { from: ['STARTED', 'NEEDS_ACTION', 'INELIGIBLE'], to: 'INELIGIBLE' },
  needAction: { from: ['STARTED'], to: 'NEEDS_ACTION' },
  attemptPrepare: { from: ['APPROVED', 'ATTEMPTED_PREPARE_CHECKOUT'], to: 'ATTEMPTED_PREPARE_CHECKOUT' },
  prepare: { from: ['APPROVED', 'ATTEMPTED_PREPARE_CHECKOUT', 'CHECKOUT_PREPARED'], to: 'CHECKOUT_PREPARED' },
  prepareAgain: { from: ['CHECKOUT_EXTENDED'], to: 'CHECKOUT_EXTENDED' },
  extend: { from: ['CHECKOUT_PREPARED'], to: 'CHECKOUT_EXTENDED' },
  attempt: { from: ['CHECKOUT_PREPARED', 'CHECKOUT_EXTENDED'], to: 'ATTEMPTED_CHECKOUT' },
  complete: { from: ['ATTEMPTED_CHECKOUT'], to: 'CHECKOUT_COMPLETED' },
  withdraw: { from: ['ATTEMPTED_CHECKOUT'], to: 'DENIED' },
  cancel: { from: OPEN, to: 'CANCELLED' },
  expire: { from: OPEN, to: 'EXPIRED' },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof moves;

/** What can be told of a status beside itself. */
type Because<Name extends MoveName> = keyof (typeof statusCodes)[(typeof moves)[Name]['to']];

/**
 * @param because - Reason within the new status, if any.
 * @throws ServiceError `wrong-state` - the table has no such move. @throws RangeError - the new status is for no such reason.
 */
export function statusAfter<Name extends MoveName>(
  name: Name,
  status: ApplicationStatus,
  ...[because]: 'plain' extends Because<Name> ? [because?: Because<Name>] : [because: Because<Name>]
): { status: ApplicationStatus; status_code: string } {
  const { from, to }: Move = moves[name];
  if (!from.includes(status)) {
    throw new ServiceError('wrong-state', `Cannot ${name} an application that is ${status}; it must be ${from.join(' or ')}.`);
  }
  const code = new Map(Object.entries<string>(statusCodes[to])).get((because as string | undefined) ?? 'plain');
  if (code === undefined) throw new RangeError(`Expected a reason for ${to}, but received ${String(because)}`);
  return { status: to, status_code: code };
}

/** Whether an application ends by being turned away from, or by its time. */
export function isOpenApplication({ status }: { status: ApplicationStatus }): boolean {
  return (OPEN as readonly ApplicationStatus[]).includes(status);
}

/** Whether a lender was asked and its answer is not known. */
export function isAsked({ status_code }: { status_code: string }): boolean {
  return status_code === statusCodes.STARTED['lender-asked'];
}

/** How long an application may take and an approval holds, and for how much longer a buyer may keep it once; 0 for not at all. */
export interface ApprovalTerms {
  approvalDays: number;
  extensionDays: number;
}
