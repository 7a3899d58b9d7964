import type { ActionRequest, TransactionStatus } from '../../../shared/wire/transaction.ts';
import type { CardGateway, CardHold } from '../cards/gateway.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Instant } from '../../base/time.ts';
import { isFinal } from './lifecycle.ts';
import type { StoredHold, Transaction } from './store.ts';

/** The parts of a transaction that determine its card operations. */
export interface CardState {
  status: TransactionStatus;
  /** Remaining amount. */
  leftCents: number;
  /** Card portion of the total; 0 without one. */
  cardCents: number;
  /** The part of the card portion that was canceled before the loan was reduced. */
  cardReducedCents: number;
}

/** A change of a card hold or payment. */
export interface CardOperation {
  type: 'capture' | 'release' | 'refund';
  /** 0 for a release, which releases the whole hold. */
  amountCents: number;
}

/**
 * Returns the card portion of the remaining amount. Cancels and refunds reduce the loan first, except cancels after a declined hold.
 *
 * @see server/decisions/0019-cards.md
 */
export function remainingCardCents({ leftCents, cardCents, cardReducedCents }: Omit<CardState, 'status'>): number {
  return Math.min(cardCents - cardReducedCents, leftCents);
}

/** Returns the financed portion of the remaining amount. */
export function remainingFinancedCents(state: CardState): number {
  return state.leftCents - remainingCardCents(state);
}

/**
 * Returns the card operation for a change of a transaction: a capture on settlement, a refund of the card portion, or a release if the
 * transaction ends or is settled without a payment by card, even if there is no hold.
 */
export function cardOperationFor(before: CardState, after: CardState): CardOperation | undefined {
  if (after.cardCents === 0) return undefined;
  if (!isSettled(after)) {
    const hasEnded = isFinal(after.status) && before.status !== after.status;
    return hasEnded ? { type: 'release', amountCents: 0 } : undefined;
  }
  if (!isSettled(before)) {
    const amountCents = remainingCardCents(after);
    return amountCents === 0 ? { type: 'release', amountCents } : { type: 'capture', amountCents };
  }
  const amountCents = remainingCardCents(before) - remainingCardCents(after);
  return amountCents === 0 ? undefined : { type: 'refund', amountCents };
}

export function isSettled({ status }: CardState): boolean {
  return status === 'SETTLED' || status === 'REFUNDED';
}

/**
 * The hold that an action needs before it is applied: none; one on the transaction's reference, which may already have it; or one on a new
 * reference, because the last hold has expired or was declined.
 */
export type NeededHold = 'none' | 'on-reference' | 'on-new-reference';

/**
 * Returns the hold that an action needs.
 *
 * An authorization always needs one. A settlement needs one if the last hold has ended or its outcome is unknown.
 */
export function neededHold(row: Transaction, action: ActionRequest['type'], now: Instant): NeededHold {
  const { status, cardHold } = row;
  if (remainingCardCents(cardStateOf(row)) === 0) return 'none';
  if (action === 'authorize' && status === 'PENDING') return 'on-reference';
  if (action !== 'settle' || status !== 'AUTHORIZED') return 'none';
  if (!cardHold || cardHold.outcome === 'unknown') return 'on-reference';
  return cardHold.outcome === 'declined' || hasHoldExpired(cardHold, now) ? 'on-new-reference' : 'none';
}

export function hasHoldExpired({ expiresAt }: Pick<StoredHold, 'expiresAt'>, now: Instant): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/**
 * Places a hold for the card portion of a transaction. Call it outside of database transactions, because it waits for the gateway.
 *
 * @throws ServiceError `card-unavailable`
 */
export async function placeHold(row: Transaction, cards: CardGateway | undefined, now: Instant): Promise<CardHold> {
  return required(cards).authorize(row.cardReference, remainingCardCents(cardStateOf(row)), now);
}

/** Returns a new reference for the card of a transaction, outside of database transactions. @throws ServiceError `card-unavailable` */
export async function renewReference(row: Transaction, cards: CardGateway | undefined): Promise<string> {
  return required(cards).renew(row.cardReference, remainingCardCents(cardStateOf(row)));
}

function required(cards: CardGateway | undefined): CardGateway {
  if (cards) return cards;
  throw new ServiceError(
    'card-unavailable',
    'The credit card portion of this purchase cannot be authorized: no card gateway is configured.',
  );
}

/**
 * Returns the error of an action that needs a hold, and has none.
 *
 * @see server/docs/merchant-api.md, "Errors": clients recognize a decline by this text.
 */
export function holdError({ status, cardHold }: Pick<Transaction, 'status' | 'cardHold'>): ServiceError {
  if (cardHold?.outcome !== 'declined') {
    return new ServiceError('card-unavailable', 'The hold on the card has expired; please retry.');
  }
  const issue = "There's an issue with authorizing the credit card portion of this purchase: the card was declined.";
  const remedy =
    status === 'PENDING'
      ? 'Please try again in 1-3 business days, or cancel the transaction.'
      : 'The hold had expired. Please try again in 1-3 business days, or cancel the `amount` of the card portion and settle the loan.';
  return new ServiceError('card-declined', `${issue} ${remedy}`);
}

/**
 * Returns the part of a cancel that reduces the card portion before the loan: while the transaction is AUTHORIZED and the last hold was
 * declined, because only the loan can then be paid.
 */
export function cardPartOfCancel(row: Transaction, amountCents: number): number {
  const isDeclined = row.status === 'AUTHORIZED' && row.cardHold?.outcome === 'declined';
  return isDeclined ? Math.min(amountCents, remainingCardCents(cardStateOf(row))) : 0;
}

export function cardStateOf(row: Transaction): CardState {
  const { status, adjustedTotalCents: leftCents, cardCents, cardReducedCents } = row;
  return { status, leftCents, cardCents, cardReducedCents };
}
