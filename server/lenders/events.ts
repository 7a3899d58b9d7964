import type { CivilDate } from '../../shared/dates.ts';
import type { LineCount, TransactionStatus } from '../../shared/wire/transaction.ts';
import type { DenialReason } from '../applications/decision.ts';
import type { Language } from '../../shared/languages/index.ts';
import type { Tx } from '../db/database.ts';
import type { Send } from '../notifications/attempt.ts';
import type { NoticeKind } from '../notifications/notices.ts';
import { enqueueLenderEvent as enqueue } from '../notifications/outbox.ts';
import type { Instant } from '../time.ts';
import { type Lender, type LenderSchedule, UnknownOutcomeError } from './lender.ts';

/**
 * The state of a loan after an event. Amounts are in cents and remain after all cancellations and refunds: `amountCents` of the purchase,
 * `financedCents` of it by the loan, and `cardCents` by a card.
 */
export interface LoanState {
  transactionId: string;
  orderRef: string;
  merchantOrderId: string;
  status: TransactionStatus;
  amountCents: number;
  financedCents: number;
  cardCents: number;
  /** The row of the journal that caused the event. */
  revision: number;
}

/** An event of a loan: a change of the purchase after the signature. */
export type LoanEvent = LoanState &
  (
    | { type: 'authorized' }
    /** The lender pays `disburseCents` to the merchant: what is financed, less the fee of the program's merchant discount. */
    | { type: 'settled'; disburseCents: number; merchantFeeCents: number; settledOn: CivilDate }
    | { type: 'canceled' | 'refunded'; changeCents: number; lines: readonly LineCount[] }
    | { type: 'expired'; reason: 'not-authorized-in-time' | 'not-settled-in-time' }
    /** The card portion was declined, its capture failed, or succeeded after it had failed. No amount has changed. */
    | { type: 'card-declined' | 'card-capture-failed' | 'card-captured' }
  );

/**
 * An event of an application that a lender has received and whose outcome the service produced itself. `application-undecided`: a warning
 * that the service will deny the application, which the lender has not decided.
 */
export type ApplicationEvent =
  | { type: 'application-denied'; reasons: readonly DenialReason[] }
  | { type: 'application-canceled'; by: 'buyer' | 'merchant' | 'restart' }
  | { type: 'application-expired'; what: 'approval' | 'incomplete' }
  | { type: 'application-undecided'; deniedAt: Instant };

/**
 * An event of a notice to the buyer: the notice as it was sent, or the result of its delivery. Events are permanent and notices are not, so
 * `html` is added when the event is sent; it is null after the notice was deleted.
 */
export type NoticeEvent = { noticeId: string; kinds: readonly NoticeKind[] } & (
  | { type: 'notice'; language: Language; sha256: string; html: string | null }
  | { type: 'notice-delivery'; outcome: 'delivered' | 'failed'; failure: string }
);

export type LenderEvent = LoanEvent | ApplicationEvent | NoticeEvent;

/** An event as the lender receives it. `sequence` is its position among the events of its application. */
export type SentEvent = LenderEvent & {
  id: string;
  sequence: number;
  at: Instant;
  applicationId: string;
  /** The request for the decision; null for an application that no lender has received. */
  requestId: string | null;
};

/** The application that an event belongs to, and the time of the event. */
export interface EventSubject {
  /** Id of the event. */
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
