import type { ApplicationStatus } from '../../shared/wire/application.ts';
import { epochMs, type Instant, instantOf, lastUsDayEnd, plusDays } from '../time.ts';
import { type ApprovalTerms, isOpenApplication, statusAfter, statusCodes } from './lifecycle.ts';

/** An approval can be extended during its last days: this many. */
const EXTENDABLE_DAYS = 2;

/** Returns when an application without a decision expires: with the link of its cart. */
export function undecidedUntil(cart: { expires_on: string }): Instant {
  return lastUsDayEnd(cart.expires_on);
}

/** Returns when an approval given at `now` expires: after `approvalDays`, but not later than the link of its cart. */
export function approvedUntil(
  { approvalDays }: Pick<ApprovalTerms, 'approvalDays'>,
  cart: { expires_on: string },
  now: Instant,
): Instant {
  return earlier(plusDays(now, approvalDays), undecidedUntil(cart));
}

/** Returns the new expiry if the buyer extends an approval now; undefined if it cannot be extended, or would not last longer. */
export function extendedTo(
  application: { status: ApplicationStatus; expires_at: Instant },
  { extensionDays }: ApprovalTerms,
  cart: { expires_on: string },
  now: Instant,
): Instant | undefined {
  const { status, expires_at } = application;
  const isSoonOver = now < expires_at && expires_at <= plusDays(now, EXTENDABLE_DAYS);
  if (status !== 'CHECKOUT_PREPARED' || !isSoonOver) return undefined;
  const until = earlier(plusDays(expires_at, extensionDays), undecidedUntil(cart));
  return until > expires_at ? until : undefined;
}

/** Returns true if an open application is past its expiry, even if its status does not show it yet. */
export function isOver(application: { status: ApplicationStatus; expires_at: Instant }, now: Instant): boolean {
  return isOpenApplication(application) && application.expires_at <= now;
}

/** Returns the changes when an open application expires. */
export function expired({ status }: { status: ApplicationStatus }, now: Instant) {
  const isDecided = status !== 'STARTED' && status !== 'NEEDS_ACTION';
  const ended = statusAfter('expire', status, isDecided ? 'approval-over' : 'undecided');
  return { ...ended, request_leased_until: null, updated_at: now };
}

/** Returns the changes when an open application is canceled. */
export function cancelled({ status }: { status: ApplicationStatus }, by: keyof (typeof statusCodes)['CANCELLED'], now: Instant) {
  return { ...statusAfter('cancel', status, by), request_leased_until: null, updated_at: now };
}

/** Returns the changes when another application replaces one of the same cart. An open one is canceled. */
export function superseded(row: { status: ApplicationStatus }, now: Instant) {
  return { ...(isOpenApplication(row) && cancelled(row, 'started-again', now)), superseded_at: now };
}

function earlier(one: Instant, other: Instant): Instant {
  return instantOf(Math.min(epochMs(one), epochMs(other)));
}
