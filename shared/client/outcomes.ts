import { CARD_DECLINE } from './errors.ts';
import { isKnown } from './refusal-codes.ts';

/** What came back of an attempt. */
export interface Attempted {
  /** HTTP status; undefined without a complete response. */
  status: number | undefined;
  /** Contents of the merchant API's error body; undefined for other responses. */
  refusal: { description: string; code: string | undefined } | undefined;
}

/**
 * What a failed attempt reveals about its call. All attempts have the same idempotency key, so the call has at most one effect.
 *
 * - `decided`: the service rejected the call. No attempt had an effect.
 * - `without-effect`: this attempt had no effect, but an earlier one may have. It was rejected before its key was looked up, lost a
 *   race, or the card gateway was unavailable.
 * - `under-way`: an earlier attempt holds the key. It is still being processed, or its process crashed.
 * - `unknown`: the attempt may have had its effect.
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
