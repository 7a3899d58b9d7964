import {
  array,
  boolean,
  enums,
  integer,
  is,
  literal,
  max,
  min,
  nullable,
  object,
  optional,
  refine,
  size,
  union,
} from 'superstruct';
import { ReasonText } from '../../shared/programs/denial-reason.ts';
import type { Program } from '../../shared/programs/program.ts';
import { CalendarDate, line, PositiveCents } from '../../shared/wire/fields.ts';
import { ADDED_CODES, DecisionSources, LENDER_CODES, MAX_DENIAL_REASONS, ScoreResult } from '../applications/decision.ts';
import type { Mode } from '../mode.ts';
import {
  type Acceptance,
  type CreditDecision,
  type CreditRequest,
  type EventReceipt,
  INELIGIBLE_REASONS,
  type Lender,
  NEEDED_ACTIONS,
  UnknownOutcomeError,
} from './lender.ts';

/** The parts of a request that are required to validate its response. */
export type DecisionContext = Pick<CreditRequest, 'requestId' | 'program' | 'amountCents' | 'partialApproval' | 'hasPlan'>;

/** Payments of a schedule: 30 years. */
const MAX_PAYMENTS = 360;

const Undecided = object({ outcome: literal('undecided') });
const Unknown = object({ outcome: literal('unknown') });
const Accepted = object({ outcome: literal('accepted'), loanNumber: optional(line(40, 1)) });
const ScheduledPayment = object({ dueOn: CalendarDate, amountCents: PositiveCents });
const Schedule = refine(object({ payments: size(array(ScheduledPayment), 0, MAX_PAYMENTS) }), 'in order', ({ payments }) =>
  payments.every(({ dueOn }, index) => index === 0 || dueOn > payments[index - 1]!.dueOn),
);
const Recorded = object({ outcome: literal('recorded'), schedule: optional(Schedule) });

const Reason = union([enums([...LENDER_CODES, ...ADDED_CODES]), ReasonText]);
const Reasons = refine(size(array(Reason), 1, MAX_DENIAL_REASONS), 'distinct and specific', (reasons) => {
  const isDistinct = new Set(reasons.map((reason) => JSON.stringify(reason))).size === reasons.length;
  const addedCodes: readonly unknown[] = ADDED_CODES;
  return isDistinct && !reasons.every((reason) => addedCodes.includes(reason));
});
const facts = { score: optional(ScoreResult), sources: optional(DecisionSources) };
const Denied = object({ outcome: literal('denied'), reasons: Reasons, ...facts });
const Rejected = object({ outcome: literal('rejected'), reasons: optional(Reasons), ...facts });
const Ineligible = object({ outcome: literal('ineligible'), reason: enums([...INELIGIBLE_REASONS]) });
const NeedsAction = object({ outcome: literal('needs-action'), action: enums([...NEEDED_ACTIONS]) });

/**
 * Parses a lender's response. Returns undefined if it is invalid: if it has unknown fields, approves a tier without offers or more
 * than the requested amount, or lacks what the notice to the buyer must state.
 */
export function parseDecision(
  response: unknown,
  context: DecisionContext,
  mode: Mode,
): CreditDecision | 'undecided' | 'unknown' | undefined {
  const { program, amountCents } = context;
  const Approved = object({
    outcome: literal('approved'),
    tierId: enums(tiersWithOffers(program)),
    limitCents: nullable(max(min(integer(), 1), amountCents)),
    reasons: optional(Reasons),
    coveredBorrower: optional(boolean()),
    ...facts,
  });
  if (is(response, Approved)) {
    const isComplete = hasNeededReasons(response, context) && (mode === 'sandbox' || isLiveApproval(response, program));
    return isComplete && namesBureauOfScore(response) ? response : undefined;
  }
  if (is(response, Denied)) {
    const isComplete = mode === 'sandbox' || (response.sources !== undefined && hasNeededScore(response, program));
    return isComplete && namesBureauOfScore(response) ? response : undefined;
  }
  if (is(response, Ineligible) || is(response, NeedsAction)) return response;
  if (is(response, Undecided) || is(response, Unknown)) return response.outcome;
  return undefined;
}

type Approval = Extract<CreditDecision, { outcome: 'approved' }>;

/**
 * Returns false if an approval cannot be used and does not state why the lender approved so little: less than the order, which is a
 * counteroffer with reasons (12 CFR 1002.9(a)(1)), or a tier without a plan, which is a denial.
 */
function hasNeededReasons({ tierId, limitCents, reasons }: Approval, context: DecisionContext): boolean {
  const isPartial = limitCents !== null && limitCents < context.amountCents;
  if (isPartial && !context.partialApproval) return false;
  return reasons !== undefined || (!isPartial && context.hasPlan(tierId, limitCents));
}

/**
 * Returns true if an approval in live mode states whether the buyer is a covered borrower (32 CFR 232.5), and with reasons also what
 * they are based on.
 */
function isLiveApproval(approval: Approval, program: Program): boolean {
  const { coveredBorrower, reasons, sources, score } = approval;
  const hasSources = reasons === undefined || sources !== undefined;
  // 12 CFR 1022.74(e)(1)(ii)(F): the comparison with the scores of other consumers.
  const hasComparison = !score || score.value === null || score.ranksAbovePercent !== undefined;
  return coveredBorrower !== undefined && hasSources && hasNeededScore(approval, program) && hasComparison;
}

/** Returns false without a score although the lender uses scores, to which the buyer has a right: 15 USC 1681m(a)(2), 12 CFR 1022.74. */
function hasNeededScore({ score }: { score?: ScoreResult | undefined }, { creditScores }: Program): boolean {
  return creditScores !== 'used' || score !== undefined;
}

/** The notice states a score below the agencies whose reports were used, so its agency is one of them. */
function namesBureauOfScore({ score, sources }: Pick<Approval, 'score' | 'sources'>): boolean {
  return !sources || !score || score.value === null || sources.reports.some(({ name }) => name === score.bureau.name);
}

/** Parses a lender's response to a signed loan. Returns undefined if it is invalid. */
export function parseAcceptance(response: unknown, mode: Mode): Acceptance | undefined {
  if (is(response, Accepted)) return response;
  if (!is(response, Rejected) || !namesBureauOfScore(response)) return undefined;
  return mode === 'sandbox' || response.sources !== undefined ? response : undefined;
}

/** Parses a lender's response to an event. Returns undefined if it is invalid. */
export function parseReceipt(response: unknown): EventReceipt | undefined {
  return is(response, Recorded) ? response : undefined;
}

/** Returns the tiers that have a rate for at least one term. */
export function tiersWithOffers({ tiers, offers }: Program): string[] {
  return tiers.map(({ id }) => id).filter((id) => offers.some(({ tierAprBps }) => Object.hasOwn(tierAprBps, id)));
}

/**
 * Wraps a lender and validates its responses. An invalid response is an `UnknownOutcomeError`, so that a bug in an adapter neither
 * denies a buyer nor approves an offer that does not exist.
 */
export function validatingLender(lender: Lender, mode: Mode): Lender {
  return {
    decide: async (request) => requireDecision(await lender.decide(request), request, mode),
    decisionOf: async (request) => {
      const response = await lender.decisionOf(request);
      return response === 'undecided' || response === 'unknown' ? response : requireDecision(response, request, mode);
    },
    accept: async (loan) => {
      const acceptance = parseAcceptance(await lender.accept(loan), mode);
      if (!acceptance) throw new UnknownOutcomeError('The lender returned an invalid response.');
      return acceptance;
    },
    record: async (event) => {
      const receipt = parseReceipt(await lender.record(event));
      if (!receipt) throw new UnknownOutcomeError('The lender returned an invalid response.');
      return receipt;
    },
  };
}

function requireDecision(response: unknown, context: DecisionContext, mode: Mode): CreditDecision {
  const decision = parseDecision(response, context, mode);
  if (typeof decision !== 'object') throw new UnknownOutcomeError('The lender returned an invalid response.');
  return decision;
}
