import type { CivilDate } from '../../../shared/dates.ts';
import type { LineCount, TransactionStatus } from '../../../shared/wire/transaction.ts';
import type { DenialReason } from '../applications/decision.ts';
import type { Language } from '../../../shared/languages/index.ts';
import type { Instant } from '../../base/time.ts';

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
  /**
   * The loan counted from its first day as a loan of `financedCents`: its initial balance, the fees in it that remain, and its stated APR in
   * basis points. Null if the agreement was deleted before the last change, and absent from events of earlier versions.
   */
  principalCents: number | null;
  feeCents: number | null;
  aprBps: number | null;
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
  /** The buyer has withdrawn the consent to electronic documents, in another way than with the lender. */
  | { type: 'consent-withdrawn' }
  | { type: 'application-undecided'; deniedAt: Instant };

/**
 * The communications to a buyer that the creditor must be able to produce. An e-mail with an approval can also disclose the score. The last four
 * are letters about the debt: its start, a change of its figures, that there is no loan, and the card that pays a part of the order.
 */
export const NOTICE_KINDS = [
  ...(['denial', 'counteroffer', 'incompleteness', 'approval', 'score-disclosure', 'agreement'] as const),
  ...(['loan-started', 'loan-changed', 'loan-void', 'card'] as const),
];
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/**
 * The result of the delivery of a notice. `delivered`: the mail server has accepted its e-mail. `failed`: it did not, or the e-mail bounced
 * later. `opened`: the buyer has read a notice behind a link after its code; `not-opened`: not within `OPENING_DAYS`. `paper`: it was not
 * e-mailed, because the buyer has withdrawn the consent to electronic documents.
 */
export type NoticeOutcome = 'delivered' | 'failed' | 'opened' | 'not-opened' | 'paper';

/**
 * An event of a notice to the buyer: the notice as it was sent, or the result of its delivery. Events are permanent and notices are not, so
 * `html` is added when the event is sent; it is null after the notice was deleted.
 */
export type NoticeEvent = { noticeId: string; kinds: readonly NoticeKind[] } & (
  | { type: 'notice'; language: Language; sha256: string; html: string | null }
  | { type: 'notice-delivery'; outcome: NoticeOutcome; failure: string }
);

export type ServicingEvent = LoanEvent | ApplicationEvent | NoticeEvent;

/** An event as the lender receives it. `sequence` is its position among the events of its application. */
export type SentEvent = ServicingEvent & {
  id: string;
  sequence: number;
  at: Instant;
  applicationId: string;
  /** The request for the decision; null for an application that no lender has received. */
  requestId: string | null;
};
