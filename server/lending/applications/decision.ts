import { array, boolean, type Infer, integer, literal, max, min, object, optional, refine, size, union } from 'superstruct';
import { REASON_CODES, type ReasonText } from '../../../shared/programs/denial-reason.ts';
import { CreditBureau } from '../../../shared/programs/program.ts';
import { CalendarDate, line } from '../../../shared/wire/fields.ts';
import type { Instant } from '../../base/time.ts';

/**
 * A credit score that was used in a decision, with the facts about it that the buyer must receive: 15 USC 1681g(f)(1), 1681m(a)(2).
 *
 * `factors` are the key factors that adversely affected the score, in the language of the request: at most four, and a fifth if one of
 * them is the number of inquiries. `bureau` provided the score, or the file it was created from.
 */
export const CreditScore = refine(
  object({
    value: integer(),
    /** Range of possible scores under the model. */
    min: integer(),
    max: integer(),
    /** The day on which the score was created. */
    date: CalendarDate,
    factors: size(array(line(200, 1)), 1, 5),
    bureau: CreditBureau,
    /** Share of US consumers with a lower score, for the comparison in the credit score disclosure: 12 CFR 1022.74(e)(1)(ii)(F). */
    ranksAbovePercent: optional(max(min(integer(), 0), 100)),
  }),
  'score within its range',
  ({ value, min: least, max: most }) => least <= value && value <= most,
);
export type CreditScore = Infer<typeof CreditScore>;

/** The bureau has no score of the buyer: 12 CFR 1022.74(f). */
const UnavailableScore = object({ value: literal(null), bureau: CreditBureau });

/** The result of a request for a credit score. */
export const ScoreResult = union([CreditScore, UnavailableScore]);
export type ScoreResult = Infer<typeof ScoreResult>;

export function isCreditScore(score: ScoreResult | null): score is CreditScore {
  return score !== null && score.value !== null;
}

/**
 * The sources of a decision other than the application, which its notice states: consumer reports, 15 USC 1681m(a)(3), and information
 * from third parties or affiliates of the lender, 15 USC 1681m(b).
 */
export const DecisionSources = object({
  reports: size(array(CreditBureau), 0, 5),
  /** Whether third parties, or affiliates of the lender, provided information. */
  outside: boolean(),
  affiliate: boolean(),
});
export type DecisionSources = Infer<typeof DecisionSources>;

/** The sources of a decision that is based on the application only. */
export const NO_SOURCES: DecisionSources = { reports: [], outside: false, affiliate: false };

/** Codes of the reasons that only this service adds, after those of the lender: they alone are not specific. */
export const ADDED_CODES = [
  // The lender approved a smaller amount than the order needs.
  'limit',
  // The buyer's credit tier has no plan for this amount in their state.
  'tier',
] as const;

/** Returns true for a reason that only the service adds. */
export function isAddedCode(reason: unknown): boolean {
  return ADDED_CODES.some((code) => code === reason);
}

/** Codes of reasons that a lender may state. Instead of `other`, the notice states that the buyer may request the reasons. */
export const LENDER_CODES = [...REASON_CODES, 'other'] as const;

/** Codes of the principal reasons of a denial. */
export const DENIAL_CODES = [
  ...LENDER_CODES,
  ...ADDED_CODES,
  // The buyer is a servicemember or a dependent, and every plan is above the military APR (MAPR) that is allowed for them.
  'military-rate-cap',
] as const;
export type DenialCode = (typeof DENIAL_CODES)[number];

/** A principal reason of a denial, which the buyer receives by law (12 CFR 1002.9(b)(2)) and the merchant does not: a code or a text. */
export type DenialReason = DenialCode | ReasonText;

/** The number of reasons that a notice states: more are not meaningful to the buyer, 12 CFR 1002, Supplement I, 9(b)(2)-1. */
export const MAX_DENIAL_REASONS = 4;

/** The part of a lender's decision that is needed for notices to the buyer. Neither merchants nor platforms receive it. */
export interface StoredDecision {
  /** The time of storage. */
  at: Instant;
  /** The principal reasons of a denial or of a lower limit, the main one first; may be empty. */
  reasons: readonly DenialReason[];
  /** The credit score that was used. Null if the lender did not send one. */
  score: ScoreResult | null;
  /** Undefined if the lender did not state them. */
  sources?: DecisionSources | undefined;
  /** The request that the lender decided. Absent if the service decided in its place. */
  requestId?: string;
  /** `hashOfDecision` of what the lender sent. Absent if the service decided in its place. */
  sentHash?: string | undefined;
  /** A decision that the lender sent after the application had ended. It was not applied. */
  late?: LateDecision;
}

/** A lender's decision about an application that had ended, such as one that was denied because the lender did not decide in time. */
export interface LateDecision {
  at: Instant;
  requestId: string;
  /** As the lender sent it. */
  decision: object;
}
