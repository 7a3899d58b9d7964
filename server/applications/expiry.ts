import { addDays, type CivilDate, dateIn } from '../../shared/dates.ts';
import { timeZoneOf } from '../../shared/time-zones.ts';
import type { ApplicationStatus } from '../../shared/wire/application.ts';
import { epochMs, type Instant, instantOf, lastUsDayEnd, plusDays, WRITE_TIME } from '../time.ts';
import { NO_CONTACT } from './contact.ts';
import { type ApprovalTerms, isOpenApplication, statusAfter, statusCodes } from './lifecycle.ts';

/** An approval can be extended in its last days, of which this is the number. */
const EXTENDABLE_DAYS = 2;

/** Returns when an application without a decision expires: with its checkout link. */
export function undecidedExpiry(cart: { expiresOn: CivilDate }): Instant {
  return lastUsDayEnd(cart.expiresOn);
}

/** Returns when an approval given at `now` expires: after `approvalDays`, but not later than the checkout link. */
export function approvalExpiry(
  { approvalDays }: Pick<ApprovalTerms, 'approvalDays'>,
  cart: { expiresOn: CivilDate },
  now: Instant,
): Instant {
  return earlier(plusDays(now, approvalDays), undecidedExpiry(cart));
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
  const extended = earlier(plusDays(expiresAt, extensionDays), undecidedExpiry(cart));
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
export function expiryChanges({ status }: { status: ApplicationStatus }) {
  const isDecided = status !== 'STARTED' && status !== 'NEEDS_ACTION';
  const ended = statusAfter('expire', status, isDecided ? 'approval-expired' : 'undecided');
  return { ...ended, requestLeasedUntil: null, updatedAt: WRITE_TIME };
}

/** Returns the changes when an open application is canceled. */
export function cancelChanges({ status }: { status: ApplicationStatus }, by: keyof (typeof statusCodes)['CANCELLED']) {
  return { ...statusAfter('cancel', status, by), requestLeasedUntil: null, updatedAt: WRITE_TIME };
}

/** Returns the changes when another application replaces one of the same cart. An open one is canceled. */
export function supersedeChanges(row: { status: ApplicationStatus }, now: Instant) {
  return { ...(isOpenApplication(row) && cancelChanges(row, 'restarted')), supersededAt: now };
}

/** Returns the changes when the buyer's details are deleted. The time of the last change stays the same. */
export function detailsDeletion(now: Instant) {
  return { billingContact: NO_CONTACT, shippingContact: NO_CONTACT, normalizedAddressHash: '', detailsDeletedAt: now };
}

function earlier(one: Instant, other: Instant): Instant {
  return instantOf(Math.min(epochMs(one), epochMs(other)));
}
