import { isDeepStrictEqual } from 'node:util';
import type { PromisedCardOrder } from '../notifications/outbox.ts';
import { type CardMove, cardMoveOf, type CardState } from './card-part.ts';
import type { Replayed } from './replay.ts';

/** What a card gateway is to do because of a row of the journal. */
export type JournaledMove = CardMove & { sequence: number };

/** What one more row of a journal asks of the card. */
export function journaledMove(before: Replayed | undefined, after: Replayed, cardCents: number): JournaledMove | undefined {
  const move = before && cardMoveOf(cardStateOf(before, cardCents), cardStateOf(after, cardCents));
  return move && { ...move, sequence: after.revision };
}

function cardStateOf({ status, adjustedTotal }: Replayed, cardCents: number): CardState {
  return { status, leftCents: adjustedTotal, cardCents };
}

/**
 * What was promised up to a revision, where it is not what the journal asks for; undefined where it is.
 *
 * @param promised - Of one transaction, in any order.
 */
export function promisedOtherwise(
  asked: readonly JournaledMove[],
  promised: readonly PromisedCardOrder[],
  revision: number,
): JournaledMove[] | undefined {
  const moves = promised
    .filter(({ sequence }) => sequence <= revision)
    .map(({ sequence, type, amountCents }) => ({ type, amountCents, sequence }))
    .toSorted((one, other) => one.sequence - other.sequence);
  return isDeepStrictEqual(moves, asked) ? undefined : moves;
}
