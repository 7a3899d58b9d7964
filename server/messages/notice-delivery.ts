import type { Database, Tx } from '../db/database.ts';
import { newId } from '../base/ids.ts';
import type { Clock, Instant } from '../base/time.ts';
import { type Application, findApplications, isConsentWithdrawn } from '../lending/applications/store.ts';
import type { NoticeOutcome } from '../lending/lenders/events.ts';
import type { Outcome, Send } from './attempt.ts';
import { saveBounced, saveNotOpened, saveOpened } from './notice-store.ts';
import { kindsIn, type NewNotice } from './notices.ts';
import { type EmailContent, enqueueMessage, type Message } from './outbox.ts';
import { enqueueServicingEvent, type EventSubject } from './servicing-store.ts';
import { deliveryState, type StoredDelivery } from './store.ts';

/** Returns the ids and the time in an event for the lender about an application. */
export function subjectOf(application: Application, eventId: string, at: Instant): EventSubject {
  const { merchantId, id: applicationId, requestId, decision } = application;
  return { id: eventId, merchantId, applicationId, requestId: requestId ?? decision?.requestId ?? null, at };
}

/** An e-mail to the buyer of an application, with the notice that it contains or links to. */
interface ApplicationEmail extends Pick<Message, 'id' | 'handling' | 'createdAt'> {
  content: EmailContent;
  notice?: NewNotice | undefined;
}

/**
 * Enqueues an e-mail to the buyer of an application. The lender receives its notice as an event; it has received an agreement before.
 *
 * After the buyer has withdrawn the consent to electronic documents, nothing is e-mailed: a notice is stored, and the lender sends it on paper.
 *
 * @param event - The subject of that event.
 */
export async function enqueueBuyerEmail(
  tx: Tx,
  application: Application,
  email: ApplicationEmail,
  event: EventSubject,
): Promise<void> {
  const { id: applicationId, merchantId, cartId, billingContact } = application;
  const { id: noticeId, notice } = email;
  const isOnPaper = application.consentWithdrawnAt !== null;
  if (isOnPaper && !notice) return;
  const message = { ...email, merchantId, cartId, applicationId, channel: 'email', to: billingContact.email } as const;
  await enqueueMessage(tx, isOnPaper ? { ...message, handling: 'paper' } : message);
  if (!notice) return;
  const { kinds, language, sha256 } = notice;
  if (!kinds.includes('agreement')) {
    // The text is added when the event is sent.
    await enqueueServicingEvent(tx, event, { type: 'notice', noticeId, kinds, language, sha256, html: null });
  }
  if (!isOnPaper) return;
  const delivery = { type: 'notice-delivery', noticeId, kinds, outcome: 'paper', failure: '' } as const;
  await enqueueServicingEvent(tx, { ...event, id: newId() }, delivery);
}

/** The columns of an e-mail from which its notice is reported. */
type NoticeRow = Pick<StoredDelivery, 'id' | 'notice' | 'applicationId'>;

/**
 * Reports a result of the delivery of a notice to the lender, in the database transaction that saves it. A damaged application, which is
 * logged, has no report, so that the result is saved and the e-mail is not attempted again.
 */
async function reportNotice(
  tx: Tx,
  { id: noticeId, notice, applicationId }: NoticeRow,
  result: { outcome: NoticeOutcome; failure?: string },
  eventId: string,
  now: Instant,
): Promise<void> {
  if (notice === null || applicationId === null) return;
  const application = (await findApplications(tx, [applicationId])).get(applicationId);
  if (!application) return;
  const event = { type: 'notice-delivery', noticeId, kinds: kindsIn(notice), failure: '', ...result } as const;
  await enqueueServicingEvent(tx, subjectOf(application, eventId, now), event);
}

/** The outcome of a notice that was waiting for another attempt when the buyer withdrew the consent to electronic documents. */
const NOT_SENT: Outcome = {
  statusCode: null,
  failure: 'The buyer has withdrawn the consent to electronic documents',
  isPermanent: true,
};

/**
 * Returns a sender of e-mails that also reports the result of the delivery of notices to the lender, which sends those that failed on paper:
 * that the mail server has accepted the e-mail, or that it is not tried again.
 *
 * @param clock - The clock of purchases.
 */
export function reportingNotices(send: Send, { query }: Pick<Database, 'query'>, clock: Clock): Send {
  return async (delivery) => {
    const { notice, applicationId, attempts } = delivery;
    if (notice === null || applicationId === null) return send(delivery);
    // The first attempt follows at once, so that only a later one can follow a withdrawal.
    const isOnPaper = attempts > 1 && (await isConsentWithdrawn(query, applicationId));
    const outcome = isOnPaper ? NOT_SENT : await send(delivery);
    const eventId = newId();
    const { failure } = outcome;
    return {
      ...outcome,
      // Called in the database transaction of the outcome. `save` stores it; false if the delivery was scheduled again meanwhile.
      saveWith: async (tx, save, isLast) => {
        if (!(await save()) || !isLast) return;
        const sent = { outcome: failure === '' ? 'delivered' : 'failed', failure } as const;
        await reportNotice(tx, delivery, isOnPaper ? { outcome: 'paper' } : sent, eventId, clock.now());
      },
    };
  };
}

/** Saves that a notice behind a link was shown after its code, and reports it to the lender once. */
export async function recordOpened(tx: Tx, notice: NoticeRow, eventId: string, now: Instant): Promise<void> {
  if (await saveOpened(tx, notice.id, now)) await reportNotice(tx, notice, { outcome: 'opened' }, eventId, now);
}

/**
 * Reports to the lender that a notice behind a link was not opened in time. Does nothing if it was, or if its e-mail has failed, which was
 * reported.
 */
export async function reportNotOpened(database: Database, id: string, now: Instant): Promise<void> {
  const eventId = newId();
  await database.write(async (tx) => {
    const email = await saveNotOpened(tx, id, now);
    if (email && deliveryState(email) !== 'failed') await reportNotice(tx, email, { outcome: 'not-opened' }, eventId, now);
  });
}

/**
 * Saves that an e-mail has failed after the mail server had accepted it, and reports it to the lender if it is a notice. Changes nothing if the
 * e-mail is unknown or not delivered, so that a report can be repeated.
 *
 * @param failure - Without text of others.
 * @returns True if the e-mail counted as delivered.
 */
export async function recordBounce(
  database: Database,
  { id, failure }: { id: string; failure: string },
  now: Instant,
): Promise<boolean> {
  const eventId = newId();
  return database.write(async (tx) => {
    const email = await saveBounced(tx, id, failure);
    if (email) await reportNotice(tx, email, { outcome: 'failed', failure }, eventId, now);
    return email !== undefined;
  });
}
