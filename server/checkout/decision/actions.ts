import { cancelChanges } from '../../lending/applications/expiry.ts';
import { isOpenApplication, outlivesCart, applicationStatusAfter } from '../../lending/applications/lifecycle.ts';
import { findApplication, findApplicationOfCart, saveApplication } from '../../lending/applications/store.ts';
import type { Database, Tx } from '../../db/database.ts';
import { isId, newId } from '../../base/ids.ts';
import { cartStatusAt, CREATED_BY_PAGE } from '../../purchases/carts/carts.ts';
import { recordCartExpired } from '../../purchases/carts/expiry.ts';
import { type Cart, lockCart, saveCartExpired } from '../../purchases/carts/store.ts';
import { recipientKey } from '../../messages/addresses.ts';
import { subjectOf } from '../../messages/notice-delivery.ts';
import { enqueueServicingEvent } from '../../messages/servicing-store.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { type Instant, DATABASE_NOW } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockSession, lockShownSession, requireShown, type ShownApplication } from '../session/load.ts';
import { extendableUntil, isCancellable, type StartedSession } from '../session/session.ts';
import { countContinueLink } from './limits.ts';
import { changeStatus, isSubmitted, newStatusIds, saveStatus } from './save-status.ts';

/**
 * Cancels an application at the buyer's request. An application that has ended, or is signed, is not changed. Before a lender has received
 * it, the buyer is e-mailed how to apply again only if the merchant's server provided the address (decisions/0052).
 *
 * @throws ServiceError `cart-closed` - the checkout continues in another browser.
 */
export async function cancelApplication(
  deps: Pick<CheckoutDeps, 'database' | 'mail' | 'attemptLimits'>,
  shown: ShownApplication,
  now: Instant,
): Promise<void> {
  await changeStatus(deps, shown, now, async (session, tx) => {
    requireShown(session, shown);
    if (!isCancellable(session)) return undefined;
    const { application } = session;
    const { email } = application.billingContact;
    // E-mailed although no lender has the application, within the limit of such links; the buyer of a submitted one is always e-mailed.
    const isKnown = !isSubmitted(application) && isAddressOfCart(session.cart, email);
    const isAllowed = isKnown && (await countContinueLink(tx, deps.attemptLimits, email, now));
    return { changes: cancelChanges(application, 'by-buyer'), isAllowed };
  });
}

/** The party that records a withdrawal: the lender that the buyer has notified, an operator, or the buyer with a form. */
type RecordedBy = 'lender' | 'operator' | 'buyer';

/**
 * Withdraws the buyer's consent to electronic documents for one application: 15 USC 7001(c). An open application ends as canceled by the buyer.
 * A signed loan and documents that were sent before stay valid. Repeating it changes nothing.
 *
 * @returns When the consent was withdrawn; undefined if there is no such application.
 */
export async function withdrawConsent(
  database: Database,
  applicationId: string,
  recordedBy: RecordedBy,
  now: Instant,
): Promise<Instant | undefined> {
  const ref = isId(applicationId) ? await findApplication(database.query, applicationId) : undefined;
  return ref && database.write(async (tx) => saveWithdrawal(tx, await lockSession(tx, ref, now), recordedBy, now));
}

/** The same in the database transaction that has locked the checkout. */
export async function saveWithdrawal(tx: Tx, session: StartedSession, recordedBy: RecordedBy, now: Instant): Promise<Instant> {
  const { application } = session;
  const { id: applicationId, merchantId, consentWithdrawnAt, submittedAt } = application;
  if (consentWithdrawnAt !== null) return consentWithdrawnAt;
  if (recordedBy !== 'lender' && submittedAt !== null) {
    await enqueueServicingEvent(tx, subjectOf(application, newId(), now), { type: 'consent-withdrawn' });
  }
  if (recordedBy === 'operator') {
    const event = { kind: 'consent-withdrawn', actor: 'console', merchantId, details: { applicationId } } as const;
    await addSecurityEvents(tx, newSecurityEvent(event, now));
  }
  const isEnding = isOpenApplication(application) && application.expiresAt > now;
  const changes = { consentWithdrawnAt: now, ...(isEnding && cancelChanges(application, 'by-buyer')) };
  // An application whose status does not change is only saved.
  await saveStatus(tx, session, application, { changes }, undefined, newStatusIds());
  return now;
}

/** Returns true if the merchant's server created the cart with the e-mail address that the buyer has entered. */
function isAddressOfCart({ createdBy, options }: Cart, email: string): boolean {
  const provided = options.billingContact?.email;
  return createdBy !== CREATED_BY_PAGE && Boolean(provided) && recipientKey(provided!) === recipientKey(email);
}

/**
 * Expires a cart's checkout link for its merchant, and cancels its application if that is open. An application that a lender has received
 * and that is not decided continues without the cart. Does nothing if the link has already expired.
 *
 * @param userId - The user of the console who cancels the link.
 * @throws ServiceError `cart-not-found`
 */
export async function expireCart(
  { database, mail }: Pick<CheckoutDeps, 'database' | 'mail'>,
  merchantId: string,
  id: string,
  now: Instant,
  userId?: string,
): Promise<void> {
  const ids = newStatusIds();
  const event = { kind: 'link-canceled', merchantId, details: { cartId: id } } as const;
  const eventRow = userId === undefined ? undefined : newSecurityEvent({ ...event, actor: `user:${userId}` }, now);
  await database.write(async (tx) => {
    const cart = await lockCart(tx, merchantId, id);
    const current = await findApplicationOfCart(tx, cart.id);
    // Not an event for a signed checkout, which may still be completed, or for a link past its last day, which `recordExpiries` records.
    const isRecorded = cartStatusAt(cart, now) === 'OPEN' && current?.status !== 'ATTEMPTED_CHECKOUT';
    await saveCartExpired(tx, cart.id, isRecorded);
    if (isRecorded) await recordCartExpired(tx, cart, 'canceled-by-merchant', now);
    if (eventRow && cart.status === 'OPEN') await addSecurityEvents(tx, eventRow);
    if (!current || !isOpenApplication(current) || outlivesCart(current)) return;
    const session = await lockSession(tx, current, now);
    const { application } = session;
    await saveStatus(tx, session, application, { changes: cancelChanges(application, 'by-merchant') }, mail, ids);
  });
}

/**
 * Extends an approval by some days, once, shortly before it ends. An approval that cannot be extended is not changed.
 *
 * @throws ServiceError `cart-closed` - the checkout continues in another browser.
 */
export async function extendApproval(
  { database, approvals }: Pick<CheckoutDeps, 'database' | 'approvals'>,
  shown: ShownApplication,
  now: Instant,
): Promise<void> {
  await database.write(async (tx) => {
    const session = await lockShownSession(tx, shown, now);
    const until = extendableUntil(session, approvals, now);
    const { application } = session;
    if (!until) return;
    await saveApplication(tx, application, {
      ...applicationStatusAfter('extend', application.status),
      expiresAt: until,
      updatedAt: DATABASE_NOW,
    });
  });
}
