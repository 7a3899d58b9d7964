import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../shared/disclosure/canonical-json.ts';
import type { Application } from '../../lending/applications/store.ts';
import {
  type DecisionSources,
  type DenialReason,
  MAX_DENIAL_REASONS,
  type ScoreResult,
  type StoredDecision,
} from '../../lending/applications/decision.ts';
import type { CreditDecision } from '../../lending/lenders/lender.ts';
import type { Instant } from '../../base/time.ts';

/** @param requestId - The request that the lender decided. Omitted if the service decided in its place. */
export function decisionToStore(
  at: Instant,
  { score = null, reasons = [], sources, sentHash }: DecisionFacts,
  requestId?: string | null,
): StoredDecision {
  return {
    at,
    reasons: reasons.slice(0, MAX_DENIAL_REASONS),
    score,
    ...(sources && { sources }),
    ...(requestId && { requestId, sentHash }),
  };
}

/** Reasons, score and sources of any decision, and `hashOfDecision` if the lender made it. */
export interface DecisionFacts {
  reasons?: readonly DenialReason[] | undefined;
  score?: ScoreResult | null | undefined;
  sources?: DecisionSources | undefined;
  sentHash?: string | undefined;
}

export function factsOf(decision: CreditDecision): DecisionFacts {
  const facts = decision.outcome === 'ineligible' ? {} : decision;
  return { ...facts, sentHash: hashOfDecision(decision) };
}

/** Returns the SHA-256 of a lender's decision, to recognize when the lender sends another one. */
function hashOfDecision(decision: object): string {
  return createHash('sha256').update(canonicalJson(decision)).digest('base64url');
}

/** Returns true if another decision about the request than this one is recorded. */
export function hasOtherDecision(
  { decision: recorded }: Pick<Application, 'decision'>,
  requestId: string,
  decision: CreditDecision,
): boolean {
  const { late } = recorded ?? {};
  const sentHash = late?.requestId === requestId ? hashOfDecision(late.decision) : recorded?.sentHash;
  const isRecorded = late?.requestId === requestId || recorded?.requestId === requestId;
  return isRecorded && sentHash !== undefined && sentHash !== hashOfDecision(decision);
}

/** Returns the stored decision of an application; without reasons and score before there is one. */
export function storedDecision(application: Pick<Application, 'decision' | 'updatedAt'>): StoredDecision {
  return application.decision ?? { at: application.updatedAt, reasons: [], score: null };
}
