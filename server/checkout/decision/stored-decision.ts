import type { Application } from '../../applications/store.ts';
import { type DenialReason, MAX_DENIAL_REASONS, type ScoreResult, type StoredDecision } from '../../applications/decision.ts';
import type { CreditDecision } from '../../lenders/lender.ts';
import type { Instant } from '../../time.ts';

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
  return application.decision ?? { at: application.updatedAt, reasons: [], score: null };
}
