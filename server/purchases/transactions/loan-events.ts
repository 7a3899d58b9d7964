import type { LoanCharges } from '../../../shared/recast.ts';
import { type MerchantDiscount, merchantFeeCents } from '../../../shared/settlement.ts';
import { idOf } from '../../base/ids.ts';
import type { LoanEvent, LoanState } from '../../lending/lenders/events.ts';
import { type Instant, dateIn } from '../../base/time.ts';
import { type CardState, remainingCardCents } from './card.ts';
import type { JournalEntry, Transaction } from './store.ts';

/** The content of the events of a purchase that its changes do not affect. The time zone determines the day of a settlement. */
export type LoanFacts = Pick<Transaction, 'orderRef' | 'merchantOrderId' | 'timeZone'> & {
  transactionId: string;
  merchantDiscount: MerchantDiscount;
};

/** The state of a purchase after a change. */
export interface PurchaseState extends CardState {
  revision: number;
  /** Of the loan; null if they are not known, because its agreement was deleted. */
  charges: LoanCharges | null;
}

/** The row of the journal that a change appended. */
export type LoanChange = Pick<JournalEntry, 'type' | 'amountCents' | 'lines' | 'reason' | 'at'>;

/**
 * Returns the lender's event of a change; undefined for changes of neither money nor status. A pure function of the journal, so that
 * `fairterm audit` recalculates all events.
 */
export function loanEventOf(facts: LoanFacts, after: PurchaseState, change: LoanChange): LoanEvent | undefined {
  const { transactionId, orderRef, merchantOrderId } = facts;
  const { status, leftCents, revision, charges } = after;
  const hasEnded = status === 'CANCELED' || status === 'EXPIRED';
  const cardCents = hasEnded ? 0 : remainingCardCents(after);
  const financedCents = hasEnded ? 0 : leftCents - cardCents;
  const amountCents = hasEnded ? 0 : leftCents;
  const { feeCents = null, aprBps = null } = charges ?? {};
  const principalCents = feeCents === null ? null : financedCents + feeCents;
  const amounts = { amountCents, financedCents, cardCents, principalCents, feeCents, aprBps };
  const state: LoanState = { transactionId, orderRef, merchantOrderId, status, ...amounts, revision };
  switch (change.type) {
    case 'authorized':
    case 'card-declined':
    case 'card-capture-failed':
    case 'card-captured':
      return { ...state, type: change.type };
    case 'settled': {
      const merchantFee = merchantFeeCents(financedCents, facts.merchantDiscount);
      const settledOn = dateIn(change.at, facts.timeZone);
      return {
        ...state,
        type: change.type,
        disburseCents: financedCents - merchantFee,
        merchantFeeCents: merchantFee,
        settledOn,
      };
    }
    case 'canceled':
    case 'refunded':
      return { ...state, type: change.type, changeCents: change.amountCents, lines: change.lines };
    case 'expired':
      return {
        ...state,
        type: change.type,
        reason: change.reason === 'not-settled-in-time' ? change.reason : 'not-authorized-in-time',
      };
    case 'created':
    case 'order-id-set':
    case 'shipped':
      break;
  }
  return undefined;
}

/** Returns the id of the event of a journal row. Deterministic, so that a retried write enqueues the same event. */
export function loanEventId(transactionId: string, revision: number, at: Instant): string {
  return idOf(`${transactionId}/lender`, revision, at);
}
