import type { TransactionStatus } from '../../shared/wire/transaction.ts';
import type { CardGateway, CardHold } from '../cards/gateway.ts';
import type { Tx } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { idOf } from '../ids.ts';
import { enqueueCardOperation } from '../notifications/outbox.ts';
import type { Instant } from '../time.ts';
import { isFinal } from './lifecycle.ts';
import { saveTransaction, type TransactionEvent, type Transaction } from './store.ts';

/** The parts of a transaction that determine its card operations. */
export interface CardState {
  status: TransactionStatus;
  /** Remaining amount. */
  leftCents: number;
  /** Card portion of the total; 0 without one. */
  cardCents: number;
}

/** A change of a card hold or payment. */
export interface CardOperation {
  type: 'capture' | 'release' | 'refund';
  /** 0 for a release, which releases the whole hold. */
  amountCents: number;
}

/**
 * Returns the card portion of the remaining amount. Cancels and refunds reduce the loan first.
 *
 * @see decisions/0019-cards.md
 */
export function remainingCardCents({ leftCents, cardCents }: Pick<CardState, 'leftCents' | 'cardCents'>): number {
  return Math.min(cardCents, leftCents);
}

/**
 * Returns the card operation for a change of a transaction: a capture on settlement, a refund of the card portion, or a release if the
 * transaction ends without a payment, even if there is no hold.
 */
export function cardOperationFor(before: CardState, after: CardState): CardOperation | undefined {
  if (after.cardCents === 0) return undefined;
  if (!isSettled(after)) {
    const hasEnded = isFinal(after.status) && before.status !== after.status;
    return hasEnded ? { type: 'release', amountCents: 0 } : undefined;
  }
  if (!isSettled(before)) return { type: 'capture', amountCents: remainingCardCents(after) };
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
  const cents = remainingCardCents({ leftCents: row.adjustedTotalCents, cardCents: row.cardCents });
  return cards.authorize(row.cardReference, cents, now);
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

/**
 * Saves a change of a transaction and enqueues its card operation, if any.
 *
 * @throws ServiceError `changed-meanwhile`
 */
export async function saveWithCardOperation(
  tx: Tx,
  before: Transaction,
  after: Transaction,
  event: TransactionEvent,
): Promise<Transaction> {
  const saved = await saveTransaction(tx, after, event);
  const operation = cardOperationFor(cardStateOf(before), cardStateOf(after));
  if (!operation) return saved;
  const { id: transactionId, merchantId, cardReference: reference, revision: sequence } = saved;
  // Deterministic, so that a retried write enqueues the same operation.
  const id = idOf(transactionId, sequence, event.at);
  await enqueueCardOperation(tx, { id, merchantId, transactionId, sequence, reference, createdAt: event.at, ...operation });
  return saved;
}

function cardStateOf(row: Transaction): CardState {
  return { status: row.status, leftCents: row.adjustedTotalCents, cardCents: row.cardCents };
}
