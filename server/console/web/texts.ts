import type { AdjustmentReason } from '../../../shared/wire/transaction.ts';
import type { Application } from '../../lending/applications/store.ts';
import { texts } from '../../base/texts.ts';
import { dateIn, epochMs, type Instant } from '../../base/time.ts';
import type { Role } from '../users/roles.ts';

/** Messages of forms and formats of values. The console is in English. */
export const t = texts.en;

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * Formats a moment without its time zone, which a page names once, and without the current year: `Nov 21, 4:30 AM`. Spaces do not break.
 * Cached by time zone, because making a format takes longer than using it.
 */
export function shortTime(instant: Instant, timeZone: string, now: Instant): string {
  const format =
    timeFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  timeFormats.set(timeZone, format);
  const currentYear = dateIn(now, timeZone).slice(0, 4);
  return format
    .format(epochMs(instant))
    .replace(`, ${currentYear}`, '')
    .replace(/\p{Zs}/gu, '\u00a0');
}

/** Returns the change since the period before, and its value. */
export function comparison(value: number, before: number, format: (value: number) => string): string {
  if (before === 0) return `${format(0)} before`;
  const bps = Math.round(((value - before) / before) * 100) * 100;
  return `${bps > 0 ? '+' : ''}${t.percent(bps).replace('-', '−')} from ${format(before)}`;
}

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const countFormat = new Intl.NumberFormat('en-US');

/** Returns the name of a month: `November 2026`. */
export const monthName = (firstDay: string): string => monthFormat.format(Date.parse(firstDay));

/** Returns the name of a day of the last months: `Nov 21`. */
export const dayName = (day: string): string => dayFormat.format(Date.parse(day));

/** Formats a number of things: `1,299`. */
export const formatCount = (count: number): string => countFormat.format(count);

/** Returns the name of a time zone in all seasons: `Eastern Time`. */
export function timeZoneName(timeZone: string): string {
  const nameIn = (style: 'longGeneric' | 'long') => {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: style }).formatToParts();
    return parts.find(({ type }) => type === 'timeZoneName')!.value;
  };
  const name = nameIn('longGeneric');
  return name.startsWith('GMT') ? nameIn('long') : name;
}

/** The roles of users, and what each may do. */
export const ROLE_TEXTS: Record<Role, { name: string; may: string }> = {
  viewer: { name: 'Viewer', may: 'Sees orders and settings.' },
  support: { name: 'Support', may: 'Also ships, settles, cancels, and refunds up to a limit.' },
  finance: { name: 'Finance', may: 'Like Support with any refund, and sees settlements and downloads files.' },
  developer: { name: 'Developer', may: 'Sees orders, and manages keys, origins and webhooks.' },
  admin: { name: 'Administrator', may: 'Everything, settings and people included.' },
};

/** The statuses of applications, without the reasons of decisions. */
export const APPLICATION_STATUSES: Record<Application['status'], string> = {
  STARTED: 'Started',
  APPROVED: 'Approved',
  DENIED: 'Declined',
  INELIGIBLE: 'Not offered',
  NEEDS_ACTION: 'Waits for the buyer',
  ATTEMPTED_PREPARE_CHECKOUT: 'Chooses a card',
  CHECKOUT_PREPARED: 'Ready to sign',
  ATTEMPTED_CHECKOUT: 'Signed, being confirmed',
  CHECKOUT_COMPLETED: 'Completed',
  CHECKOUT_EXTENDED: 'Approved, extended',
  CANCELLED: 'Canceled',
  EXPIRED: 'Expired',
};

/** The reasons of cancellations and refunds. */
export const REASONS: Record<AdjustmentReason, string> = {
  'requested-by-customer': 'Requested by the customer',
  returned: 'Returned',
  damaged: 'Damaged',
  'out-of-stock': 'Out of stock',
  undeliverable: 'Could not be delivered',
  'price-adjustment': 'Price adjustment',
  duplicate: 'Duplicate order',
  fraudulent: 'Fraudulent order',
  other: 'Other',
};

/** Confirmations after an action, which redirects to a page that shows them once. */
export const CONFIRMATIONS = {
  'orders.authorize': 'The order was authorized.',
  'orders.settle': 'The order was settled.',
  'orders.cancel': 'The cancellation was recorded.',
  'orders.refund': 'The refund was recorded.',
  'orders.shipment': 'The shipment was saved.',
  'orders.sameReference': 'The order is no longer among those with the same reference.',
  'orders.agreement': 'The agreement is on its way to the buyer.',
  'orders.requested': 'The refund waits for the approval of another person.',
  'orders.rejected': 'The refund was rejected.',
  'developers.keyRetired': 'The key was retired. Requests with it are rejected from now on.',
  'developers.originsChanged': 'The origins were changed.',
  'developers.webhookEnabled': 'The webhook receives events again. GET /events lists the events that it missed.',
  'developers.webhookRemoved': 'The webhook was deleted.',
  'developers.testSent': 'A test event is on its way. Reload this page to see the response.',
  'developers.redelivered': 'The event is on its way again. Reload this page to see the response.',
  'developers.clockMoved': 'The clock was moved, for all merchants of this sandbox.',
  'links.canceled': 'The link was canceled.',
  'links.created': 'The link was created. Share it with the buyer.',
  'links.sent': 'The link is on its way.',
  'links.recorded': 'The sandbox recorded the message and did not send it.',
  'money.settled': 'The lines were settled.',
  'money.settledBefore':
    'Today was settled before. The new lines are settled tomorrow, or when you move the clock of the sandbox.',
  'settings.saved': 'The settings were saved. Buyers see them from now on.',
  'settings.invited': 'The invitation was sent.',
  'settings.hasAccount':
    'This person already has an account. It has the role that you chose now, and a sign-in link was e-mailed to them.',
  'settings.changed': 'The role was changed. The person has to sign in again.',
  'settings.removed': 'The person was removed and signed out.',
  'settings.passkeyAdded': 'The passkey was added. You can sign in with it from now on.',
  'settings.passkeyRenamed': 'The passkey was renamed.',
  'settings.passkeyRemoved': 'The passkey was removed.',
} as const;

export type DoneKey = keyof typeof CONFIRMATIONS;
