import { cancelChanges, extendedExpiry } from '../../applications/expiry.ts';
import { isOpenApplication, statusAfter } from '../../applications/lifecycle.ts';
import { saveApplication } from '../../applications/store.ts';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../ids.ts';
import { type Instant, WRITE_TIME } from '../../time.ts';
import { saveAndEmail } from '../decision/decision-email.ts';
import type { CheckoutDeps, EmailOptions } from './deps.ts';
import { type ApplicationRef, lockSession, lockShownSession, type ShownApplication } from './load.ts';
import type { Session, StartedSession } from './session.ts';
import { canSign } from './state.ts';

/**
 * Cancels an application at the buyer's request. An application that has ended, or is signed, is not changed.
 *
 * @throws ServiceError `cart-closed` - the checkout continues in another browser.
 */
export async function cancelApplication(
  { database, mail }: Pick<CheckoutDeps, 'database' | 'mail'>,
  shown: ShownApplication,
  now: Instant,
): Promise<void> {
  const emailId = newId();
  await database.write(async (tx) => {
    const session = await lockShownSession(tx, shown, now);
    if (!isCancellable(session)) return;
    const { application } = session;
    await saveAndEmail(tx, session, application, cancelChanges(application, 'by-buyer'), mail, emailId);
  });
}

/** Cancels the open application of a cart that its merchant expires, in the same database transaction. */
export async function cancelByMerchant(
  tx: Tx,
  ref: ApplicationRef,
  mail: Pick<EmailOptions, 'handling' | 'publicUrl' | 'operator'>,
  emailId: string,
  now: Instant,
): Promise<void> {
  const session = await lockSession(tx, ref, now);
  const { application } = session;
  await saveAndEmail(tx, session, application, cancelChanges(application, 'by-merchant'), mail, emailId);
}

export function isCancellable(session: Session): session is StartedSession {
  const { application, state } = session;
  return application !== undefined && state !== 'expired' && isOpenApplication(application);
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
      ...statusAfter('extend', application.status),
      expires_at: until,
      updated_at: WRITE_TIME,
    });
  });
}

/** Returns until when the buyer can extend the approval, or undefined if they cannot. */
export function extendableUntil(session: Session, approvals: CheckoutDeps['approvals'], now: Instant): Instant | undefined {
  const { application, cart } = session;
  return application && canSign(session) ? extendedExpiry(application, approvals, cart, now) : undefined;
}
