import type { TransactionStatus } from '../../../shared/wire/transaction.ts';
import { ServiceError } from '../../base/errors.ts';
import { DAY_MS, epochMs, type Instant, plusDays } from '../../base/time.ts';

/** Allowed states before a transition, and the state after it: `to`, `toAtZero` if the remaining amount is zero, or unchanged. */
type Transition = { from: readonly TransactionStatus[]; to?: TransactionStatus; toAtZero?: TransactionStatus };

/**
 * Allowed transitions of a transaction. Any other transition is rejected.
 *
 *   PENDING ──authorize──▶ AUTHORIZED ──settle──▶ SETTLED ─┐ refund,
 *    │    └─┐ cancel,       │      └─┐ cancel,       ▲     │ amount
 *    │      │ amount        │        │ amount        └─────┘ left
 *    │ ◀────┘ left          │ ◀──────┘ left
 *    │                      │                     SETTLED ──refund, nothing left──▶ REFUNDED
 *    ├──────────────────────┤
 *    ├─ cancel, nothing left ──▶ CANCELED
 *    └─ expire ──▶ EXPIRED
 *
 * Shipment updates are accepted in PENDING, AUTHORIZED, SETTLED and REFUNDED and do not change the status: jobs of shops that report
 * tracking numbers do not look for refunds first.
 */
export const transitions = {
  authorize: { from: ['PENDING'], to: 'AUTHORIZED' },
  settle: { from: ['AUTHORIZED'], to: 'SETTLED' },
  cancel: { from: ['PENDING', 'AUTHORIZED'], toAtZero: 'CANCELED' },
  refund: { from: ['SETTLED'], toAtZero: 'REFUNDED' },
  expire: { from: ['PENDING', 'AUTHORIZED'], to: 'EXPIRED' },
  ship: { from: ['PENDING', 'AUTHORIZED', 'SETTLED', 'REFUNDED'] },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Returns true if no transition leads to another status. */
export function isFinal(status: TransactionStatus): boolean {
  const leadsOn = ({ from, to, toAtZero }: Transition) => (to ?? toAtZero) !== undefined && from.includes(status);
  return !Object.values<Transition>(transitions).some(leadsOn);
}

/**
 * Returns the status after a transition.
 *
 * @param leftCents - Remaining amount after the transition.
 * @throws ServiceError `wrong-state` - the transition is not allowed in this status.
 */
export function transactionStatusAfter(name: TransitionName, status: TransactionStatus, leftCents: number): TransactionStatus {
  const { from, to, toAtZero }: Transition = transitions[name];
  if (!from.includes(status)) {
    throw new ServiceError('wrong-state', `Cannot ${name} a transaction that is ${status}; it must be ${from.join(' or ')}.`);
  }
  return (leftCents === 0 ? toAtZero : undefined) ?? to ?? status;
}

/** Days in a status after which a transaction expires. */
export interface Lifetimes {
  pendingDays: number;
  authorizedDays: number;
}

export const EXPIRABLE = ['PENDING', 'AUTHORIZED'] as const satisfies readonly TransactionStatus[];
export type Expirable = (typeof EXPIRABLE)[number];

function daysIn(status: Expirable, { pendingDays, authorizedDays }: Lifetimes): number {
  return status === 'PENDING' ? pendingDays : authorizedDays;
}

/** Returns the cutoff: transactions that entered the status at this instant or before are expired at `now`. */
export function expiryCutoff(status: Expirable, lifetimes: Lifetimes, now: Instant): Instant {
  return plusDays(now, -daysIn(status, lifetimes));
}

/** Returns true if the transaction is past its lifetime, even if the stored status is not yet EXPIRED. */
export function hasExpired(
  { status, statusSince }: { status: TransactionStatus; statusSince: Instant },
  lifetimes: Lifetimes,
  now: Instant,
): boolean {
  const expirable = EXPIRABLE.find((candidate) => candidate === status);
  return expirable !== undefined && epochMs(statusSince) + daysIn(expirable, lifetimes) * DAY_MS <= epochMs(now);
}
