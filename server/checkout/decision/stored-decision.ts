import type { Application } from '../../applications/store.ts';
import type { ScoreResult } from '../../lenders/credit-score.ts';
import { type CreditDecision, type DenialReason, MAX_DENIAL_REASONS } from '../../lenders/lender.ts';
import type { Instant } from '../../time.ts';

/** The part of a lender's decision that is needed for notices to the buyer. Neither merchants nor platforms receive it. */
export interface StoredDecision {
  /** The time of storage. */
  at: Instant;
  /** The principal reasons of a denial or of a lower limit, the main one first; may be empty. */
  reasons: readonly DenialReason[];
  /** The credit score that was used. Null if the lender did not send one. */
  score: ScoreResult | null;
}

export function decisionToStore(at: Instant, { score = null, reasons = [] }: DecisionFacts): StoredDecision {
  return { at, reasons: reasons.slice(0, MAX_DENIAL_REASONS), score };
}

/** Reasons and score of any decision. */
export type DecisionFacts = { reasons?: readonly DenialReason[] | undefined; score?: ScoreResult | null | undefined };

export function factsOf(decision: CreditDecision): DecisionFacts {
  return decision.outcome === 'approved' || decision.outcome === 'denied' ? decision : {};
}

/** Returns the stored decision of an application; without reasons and score before there is one. */
export function storedDecision(application: Pick<Application, 'decision' | 'updatedAt'>): StoredDecision {
  const decision = application.decision as StoredDecision | null;
  return decision ?? { at: application.updatedAt, reasons: [], score: null };
}
