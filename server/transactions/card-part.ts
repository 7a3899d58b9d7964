import type { TransactionStatus } from '../../shared/wire/transaction.ts';

/** The columns of a transaction that determine what its card owes. */
export interface CardState {
  status: TransactionStatus;
  /** What is left of the total. */
  leftCents: number;
  /** What of the total a card was to pay; 0 without one. */
  cardCents: number;
}

/** What a gateway is to do. */
export interface CardMove {
  type: 'capture' | 'release' | 'refund';
  /** 0 of a release, which gives up whatever is held. */
  amountCents: number;
}

/**
 * What of the rest the card pays. What goes, goes from the loan first, and from the card last.
 *
 * @see decisions/0019-cards.md
 */
export function cardLeft({ leftCents, cardCents }: Pick<CardState, 'leftCents' | 'cardCents'>): number {
  return Math.min(cardCents, leftCents);
}

/**
 * What a change of a transaction asks of its card: to be captured when it is settled, to give back what a refund takes of its
 * part, and to be released where the purchase ends unpaid, whether or not anything was ever held.
 */
export function cardMoveOf(before: CardState, after: CardState): CardMove | undefined {
  if (after.cardCents === 0) return undefined;
  const isOver = after.status === 'CANCELED' || after.status === 'EXPIRED';
  if (isOver && before.status !== after.status) return { type: 'release', amountCents: 0 };
  if (after.status !== 'SETTLED' && after.status !== 'REFUNDED') return undefined;
  if (before.status !== 'SETTLED') return { type: 'capture', amountCents: cardLeft(after) };
  const amountCents = cardLeft(before) - cardLeft(after);
  return amountCents === 0 ? undefined : { type: 'refund', amountCents };
}
