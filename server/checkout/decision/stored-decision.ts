import type { Application } from '../../applications/store.ts';
import {
  type DecisionSources,
  type DenialReason,
  MAX_DENIAL_REASONS,
  type ScoreResult,
  type StoredDecision,
} from '../../applications/decision.ts';
import type { CreditDecision } from '../../lenders/lender.ts';
import type { Instant } from '../../time.ts';

/** @param requestId - The request that the lender decided. Omitted if the service decided in its place. */
export function decisionToStore(
  at: Instant,
  { score = null, reasons = [], sources }: DecisionFacts,
  requestId?: string | null,
): StoredDecision {
  return {
    at,
    reasons: reasons.slice(0, MAX_DENIAL_REASONS),
    score,
    ...(sources && { sources }),
    ...(requestId && { requestId }),
  };
}

/** Reasons, score and sources of any decision. */
export interface DecisionFacts {
  reasons?: readonly DenialReason[] | undefined;
  score?: ScoreResult | null | undefined;
  sources?: DecisionSources | undefined;
}

export function factsOf(decision: CreditDecision): DecisionFacts {
  return decision.outcome === 'approved' || decision.outcome === 'denied' ? decision : {};
}

/** Returns the stored decision of an application; without reasons and score before there is one. */
export function storedDecision(application: Pick<Application, 'decision' | 'updatedAt'>): StoredDecision {
  return application.decision ?? { at: application.updatedAt, reasons: [], score: null };
}
