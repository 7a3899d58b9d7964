import { statusCodes } from '../../../shared/wire/status-codes.ts';
import {
  type Application,
  type ApplicationChanges,
  type ApplicationRef,
  saveApplication,
} from '../../lending/applications/store.ts';
import type { Tx } from '../../db/database.ts';
import { closeExceptions, hasException } from '../../lending/exceptions/store.ts';
import { idOf, newId } from '../../base/ids.ts';
import type { ApplicationEvent } from '../../lending/lenders/events.ts';
import { enqueueBuyerEmail, subjectOf } from '../../messages/notice-delivery.ts';
import { enqueueServicingEvent } from '../../messages/servicing-store.ts';
import { recordEvent } from '../../messages/webhooks/store.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps, EmailOptions } from '../session/deps.ts';
import { lockSession } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';
import { applyAgainBlocks, type EmailFacts, statusEmail } from './decision-email.ts';

/** Returns ids of the rows that a change of the status can add. Call it outside the database transaction, which may be repeated. */
export function newStatusIds() {
  return { emailId: newId(), eventId: newId(), noticeEventId: newId() };
}

export interface StatusChange {
  changes: ApplicationChanges;
  /** The event for the lender; by default that the application was canceled or has expired, if a lender has received it. Null for none. */
  event?: ApplicationEvent | null;
  /** True if the lender's decision is invalid: the exception about it stays open, because a person has to resolve it after the change, too. */
  isInvalid?: boolean;
  /** True if the buyer may be e-mailed although no lender has received the application (decisions/0052). */
  isAllowed?: boolean;
}

/**
 * Changes the status of an application in a database transaction that locks its checkout; see `saveStatus`.
 *
 * @param changeOf - Returns the change; undefined if the application does not change.
 * @returns The application as it was saved; undefined if it did not change.
 * @throws ServiceError `cart-not-found`
 */
export function changeStatus(
  { database, mail }: Pick<CheckoutDeps, 'database' | 'mail'>,
  ref: Pick<ApplicationRef, 'id' | 'cartId'>,
  now: Instant,
  changeOf: (session: StartedSession, tx: Tx) => StatusChange | undefined | Promise<StatusChange | undefined>,
): Promise<Application | undefined> {
  const ids = newStatusIds();
  return database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    const change = await changeOf(session, tx);
    return change && saveStatus(tx, session, session.application, change, mail, ids);
  });
}

/**
 * Saves an application whose status changes, in one database transaction with what follows from it: the e-mail about the new status, the
 * events for the lender and the merchant, and the end of exceptions. The lender also receives the notices that are sent in its name. Buyers
 * are e-mailed about decisions, and about the end of an application that the lender has received. Without an e-mail sender, only the page
 * informs them.
 *
 * @param session - As loaded in this database transaction, with its cart locked.
 * @param mail - Undefined if the buyer is not e-mailed.
 */
export async function saveStatus(
  tx: Tx,
  session: EmailFacts,
  application: Application,
  { changes, event, isInvalid = false, isAllowed = false }: StatusChange,
  mail: EmailOptions | undefined,
  { emailId, eventId, noticeEventId }: ReturnType<typeof newStatusIds>,
): Promise<Application> {
  const saved = await saveApplication(tx, application, changes);
  if (hasException(application) && !hasException(saved)) {
    await closeExceptions(tx, saved.id, saved.updatedAt, isInvalid ? 'undecided' : undefined);
  }
  if (saved.status === application.status) return saved;
  await recordDecision(tx, session, application, saved);
  const reported = event === undefined && application.submittedAt !== null ? endEvents[saved.statusCode] : event;
  if (reported) await enqueueServicingEvent(tx, subjectOf(application, eventId, saved.updatedAt), reported);
  const { email } = saved.billingContact;
  if (!mail || email === '' || !(isSubmitted(application) || isAllowed)) return saved;
  const { handling } = mail;
  if (handling === 'unavailable') return saved;
  const again = await applyAgainBlocks(tx, session.cart, saved, mail.publicUrl);
  const sent = statusEmail(session, saved, { mail: { ...mail, handling }, id: emailId, before: application }, again);
  if (!sent) return saved;
  const about = subjectOf(application, noticeEventId, saved.updatedAt);
  await enqueueBuyerEmail(tx, saved, { id: emailId, handling, createdAt: saved.updatedAt, ...sent }, about);
  return saved;
}

/** The merchant's events of applications, by the status that they are about. */
const eventTypes = {
  APPROVED: 'application.approved',
  DENIED: 'application.denied',
  EXPIRED: 'application.expired',
} as const;

/** Records the merchant's event of an application that a lender has received: that it was decided or has expired, without reasons. */
async function recordDecision(tx: Tx, { cart }: EmailFacts, before: Application, saved: Application): Promise<void> {
  const { id: applicationId, merchantId, revision, status, updatedAt } = saved;
  if (!(status === 'APPROVED' || status === 'DENIED' || status === 'EXPIRED') || before.submittedAt === null) return;
  // The same id if the write is repeated.
  const id = idOf(`${applicationId}/event`, revision, updatedAt);
  const data = { applicationId, cartId: cart.id, orderRef: cart.options.orderRef ?? '', status };
  await recordEvent(tx, { id, merchantId, type: eventTypes[status], data });
}

/** Returns true if the application has another status than at its start, or a lender has received it, or may have. */
export function isSubmitted({ status, submittedAt }: Pick<Application, 'status' | 'submittedAt'>): boolean {
  return status !== 'STARTED' || submittedAt !== null;
}

const { CANCELLED, EXPIRED } = statusCodes;

/** The events for the lender about the end of an application, by its status code. The lender itself has decided the other ends. */
const endEvents: Readonly<Record<string, ApplicationEvent>> = {
  [CANCELLED['by-buyer']]: { type: 'application-canceled', by: 'buyer' },
  [CANCELLED['by-merchant']]: { type: 'application-canceled', by: 'merchant' },
  [CANCELLED.restarted]: { type: 'application-canceled', by: 'restart' },
  [EXPIRED['approval-expired']]: { type: 'application-expired', what: 'approval' },
  [EXPIRED.incomplete]: { type: 'application-expired', what: 'incomplete' },
};
