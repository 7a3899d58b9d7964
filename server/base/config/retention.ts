import type { Mode } from '../mode.ts';
import { type Env, integerIn, type IntegerRange } from './env.ts';

/** Regulation B, 12 CFR 1002.12(b)(1): 25 months after the notice of the action taken, or of incompleteness. */
export const MIN_APPLICATION_DAYS = 790;

/** Regulation Z, 12 CFR 1026.25(a): two years. */
export const MIN_PURCHASE_DAYS = 730;

/**
 * Days after the end of a loan for which everything of it is retained: the last payment may be late, or disputed. As long as the debt is
 * collected, the buyer may raise a violation of Regulation Z against it, and is entitled to the agreement.
 *
 * @see 15 USC 1640(e): recoupment; 15 USC 7001(e): retention of electronic contracts.
 */
export const LOAN_DAYS = 90;

/** Until then, an operator can show whether and when a message about a purchase was sent. */
const MIN_MESSAGE_DAYS = 90;

const days: IntegerRange = { expected: 'a number of days', min: 1, max: 3_650 };

/** One hour would delete the details of buyers who are still reading. */
const hours: IntegerRange = { expected: 'a number of hours', min: 2, max: 8_760 };

/** The days for which personal data is stored and shown. */
export type Retention = ReturnType<typeof retentionIn>;

/** @throws Error - a variable is invalid, or less than a live service must retain. */
export function retentionIn(env: Env, mode: Mode) {
  const daysFrom = (min: number) => (mode === 'live' ? { ...days, min } : days);
  return {
    /** Hours after its last change until the buyer's details of an application without a decision are deleted. */
    unfinishedApplicationHours: integerIn(env, 'UNFINISHED_APPLICATION_HOURS', 24, hours),
    /** Days after the signature for which the link to a signed agreement shows it without a question. */
    documentLinkDays: integerIn(env, 'DOCUMENT_LINK_DAYS', 90, days),
    /** Days after its last day for which a cart is stored that a page of a shop created and no buyer used. */
    unusedCartDays: integerIn(env, 'UNUSED_CART_RETENTION_DAYS', 30, days),
    /** Days after its last day until the contacts of a cart without a purchase are deleted. */
    cartContactDays: integerIn(env, 'CART_RETENTION_DAYS', 90, days),
    /** Days after its last change until the buyer's data of a decided application without a purchase is deleted. */
    applicationDays: integerIn(env, 'APPLICATION_RETENTION_DAYS', MIN_APPLICATION_DAYS, daysFrom(MIN_APPLICATION_DAYS)),
    /**
     * Days after its final status until the buyer's data of a transaction is deleted: this, or `applicationDays` if that is longer, and never
     * before `LOAN_DAYS` after the end of its loan. Claims from a contract may be brought for up to six years or more.
     */
    purchaseDays: integerIn(env, 'PURCHASE_RETENTION_DAYS', 2_555, daysFrom(MIN_PURCHASE_DAYS)),
    /** Days until callbacks, e-mails and texts that are not sent any more, and records of calls to the lender, are deleted. */
    messageDays: integerIn(env, 'MESSAGE_RETENTION_DAYS', MIN_MESSAGE_DAYS, daysFrom(MIN_MESSAGE_DAYS)),
    /** Days until security events are deleted. The database rejects the deletion of events of the last year. */
    securityEventDays: integerIn(env, 'SECURITY_EVENT_RETENTION_DAYS', 730, { ...days, min: 366 }),
  };
}
