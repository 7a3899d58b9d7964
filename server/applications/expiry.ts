import type { ApplicationStatus } from '../../shared/wire/application.ts';
import { epochMs, type Instant, instantOf, lastUsDayEnd, plusDays } from '../time.ts';
import { type ApprovalTerms, isOpenApplication, statusAfter, statusCodes } from './lifecycle.ts';

/** How close to its end an approval may be kept. */
const EXTENDABLE_DAYS = 2;

/** When an application ends that nobody has decided: with the link it came by. */
export function undecidedUntil(cart: { expires_on: string }): Instant {
  return lastUsDayEnd(cart.expires_on);
}

/** When an approval ends that is given at `now`: after its days, and not after the link it came by. */
export function approvedUntil(
  { approvalDays }: Pick<ApprovalTerms, 'approvalDays'>,
  cart: { expires_on: string },
  now: Instant,
): Instant {
  return earlier(plusDays(now, approvalDays), undecidedUntil(cart));
}

/** Until when the buyer may keep an approval that soon ends; undefined when they may not, or it would not last longer. */
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

/** Whether its time is over, without anyone having said so. */
export function isOver(application: { status: ApplicationStatus; expires_at: Instant }, now: Instant): boolean {
  return isOpenApplication(application) && application.expires_at <= now;
}

/** An application whose time is over. */
export function expired<Row extends { status: ApplicationStatus; asked_until: Instant | null; updated_at: Instant }>(
  row: Row,
  now: Instant,
): Row {
  const isDecided = row.status !== 'STARTED' && row.status !== 'NEEDS_ACTION';
  const status = statusAfter('expire', row.status, isDecided ? 'approval-over' : 'undecided');
  return { ...row, ...status, asked_until: null, updated_at: now };
}

/** An application that somebody turned away from. */
export function cancelled<Row extends { status: ApplicationStatus; asked_until: Instant | null; updated_at: Instant }>(
  row: Row,
  by: keyof (typeof statusCodes)['CANCELLED'],
  now: Instant,
): Row {
  return { ...row, ...statusAfter('cancel', row.status, by), asked_until: null, updated_at: now };
}

/** An application whose place another one takes for the same cart: cancelled, unless it has ended before. */
export function superseded<
  Row extends { status: ApplicationStatus; asked_until: Instant | null; updated_at: Instant; superseded_at: Instant | null },
>(row: Row, now: Instant): Row {
  return { ...(isOpenApplication(row) ? cancelled(row, 'started-again', now) : row), superseded_at: now };
}

function earlier(one: Instant, other: Instant): Instant {
  return instantOf(Math.min(epochMs(one), epochMs(other)));
}
