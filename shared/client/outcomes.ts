import { CARD_DECLINE } from './errors.ts';
import { isKnown } from './refusal-codes.ts';

/** What came back of an attempt. */
export interface Attempted {
  /** HTTP status; undefined when no whole answer came. */
  status: number | undefined;
  /** What the merchant API's error body said; undefined when the answer was not that. */
  refusal: { description: string; code: string | undefined } | undefined;
}

/**
 * What an attempt that did not succeed says of its call. All attempts have one key, so that together they have one effect.
 *
 * - `decided`: the service said no to the call. Nothing came of any attempt.
 * - `without-effect`: nothing came of this attempt. Of an earlier one that says nothing: it was turned away before its key was
 *   looked up, lost a race, or nobody could be asked about a card.
 * - `under-way`: the key is held by an earlier attempt, which is being answered or died with its process.
 * - `unknown`: it may have had its effect or not.
 */
export type Outcome = 'decided' | 'without-effect' | 'under-way' | 'unknown';

export function outcomeOf({ status, refusal }: Attempted): Outcome {
  if (status === undefined || !refusal) return 'unknown';
  const { code } = refusal;
  if (code === 'idempotency-key-in-use') return 'under-way';
  if (code === 'changed-meanwhile' || code === 'card-unavailable' || WITHOUT_EFFECT.has(status)) return 'without-effect';
  return status < 500 || isDecision(refusal) ? 'decided' : 'unknown';
}

/** They are answered before the key is looked up, for reasons that may be others the next time. */
const WITHOUT_EFFECT: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/**
 * Whether an error body with a 5xx is a no. The interface has most of those answered with 500, like faults, so that a status
 * alone says nothing: a fault may have come after the effect.
 */
function isDecision({ description, code }: { description: string; code: string | undefined }): boolean {
  if (code === 'fault') return false;
  if (isKnown(code) || description.includes(CARD_DECLINE)) return true;
  return code === undefined && description === INVALID_TRANSACTION_ID;
}

/** @see Interface, "Errors", rule 1. The one refusal without a code. */
const INVALID_TRANSACTION_ID = 'Transaction ID was invalid';
