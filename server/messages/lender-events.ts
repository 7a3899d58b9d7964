import type { Tx } from '../db/database.ts';
import type { LenderEvent, SentEvent } from '../lending/lenders/events.ts';
import { type Lender, type LenderSchedule, UnknownOutcomeError } from '../lending/lenders/lender.ts';
import type { Instant } from '../base/time.ts';
import type { Send } from './attempt.ts';
import { enqueueLenderEvent as enqueue } from './outbox.ts';

/** The application that an event belongs to, and the time of the event. */
export interface EventSubject {
  id: string;
  merchantId: string;
  applicationId: string;
  requestId: string | null;
  at: Instant;
}

/** Enqueues an event for the lender, in the database transaction of its cause. */
export function enqueueEvent(tx: Tx, { requestId, at, ...subject }: EventSubject, event: LenderEvent): Promise<void> {
  const { applicationId } = subject;
  const transactionId = 'transactionId' in event ? event.transactionId : undefined;
  return enqueue(tx, { ...subject, transactionId, body: { applicationId, requestId, ...event }, createdAt: at });
}

/**
 * Prepares to save the schedule with which the lender responded to an event: locks what it changes, and returns a function that saves it after
 * the delivery.
 */
export type PrepareSchedule = (
  tx: Tx,
  merchantId: string,
  event: LenderEvent,
  schedule: LenderSchedule,
) => Promise<() => Promise<void>>;

/**
 * Sends enqueued events to the lender.
 *
 * @param noticeHtml - Returns the HTML of a notice; null after it was deleted.
 */
export function eventSender(
  lender: Pick<Lender, 'record'>,
  prepareSchedule: PrepareSchedule,
  noticeHtml: (noticeId: string) => Promise<string | null>,
): Send {
  return async ({ body, merchantId }) => {
    const enqueued: SentEvent = JSON.parse(body);
    const event = enqueued.type === 'notice' ? { ...enqueued, html: await noticeHtml(enqueued.noticeId) } : enqueued;
    try {
      const { schedule } = await lender.record(event);
      if (!schedule) return { statusCode: null, failure: '' };
      return {
        statusCode: null,
        failure: '',
        saveWith: async (tx, save) => {
          const saveSchedule = await prepareSchedule(tx, merchantId, event, schedule);
          if (await save()) await saveSchedule();
        },
      };
    } catch (thrown) {
      if (!(thrown instanceof UnknownOutcomeError)) throw thrown;
      return { statusCode: null, failure: thrown.message };
    }
  };
}
