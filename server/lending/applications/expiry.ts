import { timeZoneOf } from '../../../shared/wire/us-states.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import { addDays, type CivilDate } from '../../../shared/dates.ts';
import type { Program } from '../../../shared/programs/program.ts';
import type { ApplicationStatus } from '../../../shared/wire/application.ts';
import { epochMs, type Instant, instantOf, lastUsDayEnd, plusDays, DATABASE_NOW, dateIn } from '../../base/time.ts';
import type { DenialReason } from './decision.ts';
import {
  type ApprovalTerms,
  isDecisionPending,
  isIncomplete,
  isOpenApplication,
  NO_LENDER_REQUEST,
  OPEN_STATUSES,
  applicationStatusAfter,
} from './lifecycle.ts';

/** An approval can be extended in its last days, of which this is the number. */
const EXTENDABLE_DAYS = 2;

/** Returns when an application expires that no lender has received: with its checkout link. */
export function linkExpiry(cart: { expiresOn: CivilDate }): Instant {
  return lastUsDayEnd(cart.expiresOn);
}

/** The end of an undecided application of a program that does not state it. The notice then states the right to ask for the reasons. */
const UNDECIDED_DAYS = 30;
const UNDECIDED_REASON: DenialReason = 'other';

/** The days before the denial of an undecided application on which operator and lender are warned; at most half of the period. */
const WARNING_DAYS = 5;

/**
 * Returns when an application is denied that the lender does not decide, and when operator and lender are warned. The lender has to notify
 * the buyer within 30 days: 12 CFR 1002.9(a)(1)(i).
 *
 * @param requestedAt - The time of the complete application.
 */
export function decisionDeadline({ undecided }: Pick<Program, 'undecided'>, requestedAt: Instant) {
  const days = undecided?.days ?? UNDECIDED_DAYS;
  return { expiresAt: plusDays(requestedAt, days), warnAt: plusDays(requestedAt, days - Math.min(WARNING_DAYS, days / 2)) };
}

/** Returns the principal reason of the denial of an application that the lender has not decided. */
export function undecidedReason({ undecided }: Pick<Program, 'undecided'>): DenialReason {
  return undecided?.reason ?? UNDECIDED_REASON;
}

/** Returns when an application expires that became incomplete at `now`: after the last day of the lender's period. */
export function incompleteExpiry(
  { incompleteDays, timeZone }: Pick<Program, 'incompleteDays' | 'timeZone'>,
  now: Instant,
): Instant {
  return lastUsDayEnd(addDays(dateIn(now, timeZone), incompleteDays));
}

/** Returns when an approval given at `now` expires: after `approvalDays`, but not later than the checkout link. */
export function approvalExpiry(
  { approvalDays }: Pick<ApprovalTerms, 'approvalDays'>,
  cart: { expiresOn: CivilDate },
  now: Instant,
): Instant {
  return earlier(plusDays(now, approvalDays), linkExpiry(cart));
}

/** Returns the expiry of an approval that is extended now; undefined if it cannot be extended, or would not expire later. */
export function extendedExpiry(
  application: { status: ApplicationStatus; expiresAt: Instant },
  { extensionDays }: ApprovalTerms,
  cart: { expiresOn: CivilDate },
  now: Instant,
): Instant | undefined {
  const { status, expiresAt } = application;
  const expiresSoon = now < expiresAt && expiresAt <= plusDays(now, EXTENDABLE_DAYS);
  if (status !== 'CHECKOUT_PREPARED' || !expiresSoon) return undefined;
  const extended = earlier(plusDays(expiresAt, extensionDays), linkExpiry(cart));
  return extended > expiresAt ? extended : undefined;
}

/**
 * Returns the last day on which an application or its approval is valid all day where the buyer lives. It expires during the night or the day
 * after it.
 *
 * @param program - Its time zone is used if the state is unknown.
 */
export function lastDayOf(
  { expiresAt, billingContact }: { expiresAt: Instant; billingContact: { state: string } },
  program: { timeZone: string },
): CivilDate {
  return addDays(dateIn(expiresAt, timeZoneOf(billingContact.state) ?? program.timeZone), -1);
}

/** Returns true if an open application is past its expiry, even if its status has not been updated. */
export function isExpired(application: { status: ApplicationStatus; expiresAt: Instant }, now: Instant): boolean {
  return isOpenApplication(application) && application.expiresAt <= now;
}

/** Returns the changes when an open application expires. */
export function expiryChanges(application: { status: ApplicationStatus; statusCode: string }) {
  return { ...expiredStatus(application), ...NO_LENDER_REQUEST, updatedAt: DATABASE_NOW };
}

function expiredStatus(application: { status: ApplicationStatus; statusCode: string }) {
  const { status } = application;
  const reason = isIncomplete(application) ? 'incomplete' : status === 'STARTED' ? 'not-submitted' : 'approval-expired';
  return applicationStatusAfter('expire', status, reason);
}

/**
 * Returns the status of an application at `now`: from the instant at which it expires, EXPIRED, which a job saves within seconds. One that
 * waits for a decision does not expire: the job denies it.
 */
export function statusAt(
  application: { status: ApplicationStatus; statusCode: string; expiresAt: Instant },
  now: Instant,
): { status: ApplicationStatus; statusCode: string } {
  return isExpired(application, now) && !isDecisionPending(application) ? expiredStatus(application) : application;
}

/** The codes of applications that can expire, with the code that each of them becomes. */
export const EXPIRING_CODES: readonly { code: string; expiredCode: string }[] = OPEN_STATUSES.flatMap((status) =>
  Object.values<string>(statusCodes[status]).map((statusCode) => ({ status, statusCode })),
)
  .filter((application) => !isDecisionPending(application))
  .map((application) => ({ code: application.statusCode, expiredCode: expiredStatus(application).statusCode }));

/** Returns the changes when an open application is canceled. */
export function cancelChanges({ status }: { status: ApplicationStatus }, by: keyof (typeof statusCodes)['CANCELLED']) {
  return { ...applicationStatusAfter('cancel', status, by), ...NO_LENDER_REQUEST, updatedAt: DATABASE_NOW };
}

/** Returns the changes when another application replaces one of the same cart. An open one is canceled. */
export function supersedeChanges(row: { status: ApplicationStatus }, now: Instant) {
  return { ...(isOpenApplication(row) && cancelChanges(row, 'restarted')), supersededAt: now };
}

function earlier(one: Instant, other: Instant): Instant {
  return instantOf(Math.min(epochMs(one), epochMs(other)));
}
