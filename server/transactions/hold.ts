import type { CardGateway } from '../cards/gateway.ts';
import { ServiceError } from '../errors.ts';
import { cardLeft } from './card-part.ts';
import type { TransactionRow } from './store.ts';

/** The gateway's result; undefined if no request was needed. */
export type HoldAnswer = Awaited<ReturnType<CardGateway['authorize']>> | undefined;

/**
 * Has what the card pays held on it. Waits for the gateway: to be asked outside any database transaction.
 *
 * @throws ServiceError `card-unavailable`
 */
export async function holdOn(row: TransactionRow, cards: CardGateway | undefined): Promise<HoldAnswer> {
  if (row.card_cents === 0) return undefined;
  if (!cards) {
    throw new ServiceError(
      'card-unavailable',
      'The credit card portion of this purchase cannot be authorized: this service has no card gateway at the moment.',
    );
  }
  const cents = cardLeft({ leftCents: row.adjusted_total_cents, cardCents: row.card_cents });
  return cards.authorize(row.card_reference, cents);
}

/**
 * @throws ServiceError `card-declined`; `changed-meanwhile` - there was nothing to ask when it was read, and there is now.
 * @see Interface, "Errors", rule 2: clients know a decline by these words.
 */
export function requireHold(row: TransactionRow, answer: HoldAnswer): void {
  if (row.card_cents === 0 || answer === 'authorized') return;
  if (answer === undefined) {
    throw new ServiceError('changed-meanwhile', `Transaction ${row.id} was changed by another request; please retry.`);
  }
  throw new ServiceError(
    'card-declined',
    "There's an issue with authorizing the credit card portion of this purchase: the card was declined. " +
      'Please try again in 1-3 business days, or cancel the transaction.',
  );
}
