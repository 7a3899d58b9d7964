import type { TransactionStatus } from '../../shared/wire/transaction.ts';
import type { CardGateway, CardHold } from '../cards/gateway.ts';
import { ServiceError } from '../errors.ts';
import type { Instant } from '../time.ts';
import { isFinal } from './lifecycle.ts';
import type { Transaction } from './store.ts';

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
 * @see decisions/0019-cards.md
 */
export function remainingCardCents({ leftCents, cardCents, cardReducedCents }: Omit<CardState, 'status'>): number {
  return Math.min(cardCents - cardReducedCents, leftCents);
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

function isSettled({ status }: CardState): boolean {
  return status === 'SETTLED' || status === 'REFUNDED';
}

/**
 * Places a hold for the card portion of a transaction. Call it outside of database transactions, because it waits for the gateway.
 *
 * @throws ServiceError `card-unavailable`
 */
export async function placeHold(row: Transaction, cards: CardGateway | undefined, now: Instant): Promise<CardHold> {
  if (!cards) {
    throw new ServiceError(
      'card-unavailable',
      'The credit card portion of this purchase cannot be authorized: no card gateway is configured.',
    );
  }
  return cards.authorize(row.cardReference, remainingCardCents(cardStateOf(row)), now);
}

/**
 * Requires an authorized transaction, whose card was not declined.
 *
 * @throws ServiceError `card-declined`
 * @see docs/merchant-api.md, "Errors": clients recognize a decline by this text.
 */
export function requireAuthorized({ status }: Pick<Transaction, 'status'>): void {
  if (status === 'AUTHORIZED') return;
  throw new ServiceError(
    'card-declined',
    "There's an issue with authorizing the credit card portion of this purchase: the card was declined. " +
      'Please try again in 1-3 business days, or cancel the transaction.',
  );
}

export function cardStateOf(row: Transaction): CardState {
  const { status, adjustedTotalCents: leftCents, cardCents, cardReducedCents } = row;
  return { status, leftCents, cardCents, cardReducedCents };
}
