import {
  array,
  boolean,
  enums,
  integer,
  literal,
  max,
  min,
  nullable,
  object,
  optional,
  refine,
  size,
  union,
  unknown,
} from 'superstruct';
import { propertyOf } from '../../../shared/objects.ts';
import { ReasonText } from '../../../shared/programs/denial-reason.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { CalendarDate, line, PositiveCents } from '../../../shared/wire/fields.ts';
import {
  ADDED_CODES,
  DecisionSources,
  isAddedCode,
  LENDER_CODES,
  MAX_DENIAL_REASONS,
  ScoreResult,
} from '../applications/decision.ts';
import type { Mode } from '../../base/mode.ts';
import { faultAt, parseBy, type Parsed } from './fault.ts';
import {
  type Acceptance,
  type CreditDecision,
  type CreditRequest,
  type DecisionFacts,
  type DenialFacts,
  type EventReceipt,
  INELIGIBLE_REASONS,
  NEEDED_ACTIONS,
  SCHEDULE_REASONS,
  type ScorePolicy,
} from './lender.ts';

/** The parts of a request that are required to validate its response. */
export type DecisionContext = Pick<CreditRequest, 'requestId' | 'program' | 'amountCents' | 'partialApproval' | 'hasPlan'>;

/** Payments of a schedule: 30 years. */
const MAX_PAYMENTS = 360;

const NotDecided = object({ outcome: enums(['undecided', 'unknown']) });
const Accepted = object({ outcome: literal('accepted'), loanNumber: optional(line(40, 1)) });
const ScheduledPayment = object({ dueOn: CalendarDate, amountCents: PositiveCents });
const Schedule = object({
  payments: size(array(ScheduledPayment), 0, MAX_PAYMENTS),
  reason: optional(enums([...SCHEDULE_REASONS])),
});
const Scheduled = object({ schedule: Schedule });
const Recorded = object({ outcome: literal('recorded'), schedule: optional(unknown()) });

const Reason = union([enums([...LENDER_CODES, ...ADDED_CODES]), ReasonText]);
const Reasons = refine(size(array(Reason), 1, MAX_DENIAL_REASONS), 'distinct reasons, not only limit or tier', (reasons) => {
  const isDistinct = new Set(reasons.map((reason) => JSON.stringify(reason))).size === reasons.length;
  return isDistinct && !reasons.every(isAddedCode);
});
const facts = { score: optional(ScoreResult), sources: optional(DecisionSources) };
const denialFacts = { ...facts, scoreUsed: optional(literal(false)) };
const Denied = object({ outcome: literal('denied'), reasons: Reasons, ...denialFacts });
const Rejected = object({ outcome: literal('rejected'), reasons: optional(Reasons), ...denialFacts });
const Ineligible = object({ outcome: literal('ineligible'), reason: enums([...INELIGIBLE_REASONS]) });
const NeedsAction = object({
  outcome: literal('needs-action'),
  action: enums([...NEEDED_ACTIONS]),
  sources: optional(DecisionSources),
});

/** A lender's decision about a request, or the reason that it is missing. */
export type DecisionState = CreditDecision | 'undecided' | 'unknown';

const DECISION_OUTCOMES = ['approved', 'denied', 'ineligible', 'needs-action', 'undecided', 'unknown'] as const;

/**
 * Parses a lender's response. It is invalid if it has unknown fields, approves a tier without offers or more than the requested amount, or
 * lacks what the notice to the buyer must state.
 */
export function parseDecision(response: unknown, context: DecisionContext, mode: Mode): Parsed<DecisionState> {
  const outcome = outcomeOf(response, DECISION_OUTCOMES);
  switch (outcome) {
    case 'approved': {
      const Approved = object({
        outcome: literal('approved'),
        tierId: enums(tiersWithOffers(context.program)),
        limitCents: nullable(max(min(integer(), 1), context.amountCents)),
        reasons: optional(Reasons),
        coveredBorrower: optional(boolean()),
        ...facts,
      });
      return complete(parseBy(Approved, response), (approval) => [
        faultOfReasons(approval, context),
        mode === 'live' && faultOfLiveApproval(approval, context.program),
        faultOfBureau(approval),
      ]);
    }
    case 'denied':
      return complete(parseBy(Denied, response), (denial) => faultsOfDenial(denial, context.program, mode));
    case 'ineligible':
      return parseBy(Ineligible, response);
    case 'needs-action':
      return parseBy(NeedsAction, response);
    case 'undecided':
    case 'unknown': {
      const parsed = parseBy(NotDecided, response);
      return 'fault' in parsed ? parsed : { content: parsed.content.outcome };
    }
    case undefined:
  }
  return faultOfOutcome(response, DECISION_OUTCOMES);
}

function outcomeOf<Outcome extends string>(response: unknown, outcomes: readonly Outcome[]): Outcome | undefined {
  return outcomes.find((outcome) => propertyOf(response, 'outcome') === outcome);
}

function faultOfOutcome(response: unknown, outcomes: readonly string[]): Fault {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return faultAt('', 'an object', response);
  return faultAt('outcome', `one of ${outcomes.join(', ')}`, propertyOf(response, 'outcome'));
}

type Fault = { fault: string };

/** Returns a parsed response, or the first fault of its completeness. */
function complete<T>(parsed: Parsed<T>, faultsOf: (content: T) => (Fault | false | undefined)[]): Parsed<T> {
  if ('fault' in parsed) return parsed;
  return faultsOf(parsed.content).find((fault) => fault !== undefined && fault !== false) || parsed;
}

type Approval = Extract<CreditDecision, { outcome: 'approved' }>;

/**
 * Returns the fault of an approval that cannot be used and does not state why the lender approved so little: less than the order, which is
 * a counteroffer with reasons (12 CFR 1002.9(a)(1)), or a tier without a plan, which is a denial.
 */
function faultOfReasons({ tierId, limitCents, reasons }: Approval, context: DecisionContext): Fault | undefined {
  const isPartial = limitCents !== null && limitCents < context.amountCents;
  if (isPartial && !context.partialApproval) {
    return faultAt('limitCents', 'null or the whole amount, because partialApproval is false', limitCents);
  }
  if (reasons !== undefined || (!isPartial && context.hasPlan(tierId, limitCents))) return undefined;
  return faultAt('reasons', isPartial ? 'reasons for the limit' : 'reasons for a tier that is not in tiers', reasons);
}

/**
 * Returns the fault of an approval in live mode that does not state whether the buyer is a covered borrower (32 CFR 232.5), or with
 * reasons not what they are based on.
 */
function faultOfLiveApproval(approval: Approval, program: Program): Fault | undefined {
  const { coveredBorrower, reasons, score } = approval;
  if (coveredBorrower === undefined) return faultAt('coveredBorrower', 'a boolean', coveredBorrower);
  const fault = (reasons && faultOfSources(approval)) ?? faultOfScore(approval, program);
  // 12 CFR 1022.74(e)(1)(ii)(F): the comparison with the scores of other consumers.
  const lacksComparison = score && score.value !== null && score.ranksAbovePercent === undefined;
  return fault ?? (lacksComparison ? faultAt('score.ranksAbovePercent', 'an integer', undefined) : undefined);
}

function faultOfSources({ sources }: DecisionFacts): Fault | undefined {
  return sources === undefined ? faultAt('sources', 'the sources of the reasons', sources) : undefined;
}

/** The lender states a score that was used, because the buyer has a right to it: 15 USC 1681m(a)(2), 12 CFR 1022.74. */
function faultOfScore({ score }: DecisionFacts, { creditScores }: ScorePolicy, expected = 'a score'): Fault | undefined {
  return creditScores === 'used' && score === undefined ? faultAt('score', expected, score) : undefined;
}

/** Returns the faults of a denial or of the rejection of a signed agreement, for which a lender that uses scores may have used none. */
function faultsOfDenial(denial: DenialFacts, program: ScorePolicy, mode: Mode): (Fault | false | undefined)[] {
  const { score, scoreUsed } = denial;
  const isUnscored = scoreUsed === false;
  return [
    isUnscored && score !== undefined && faultAt('scoreUsed', 'no such field next to score', scoreUsed),
    mode === 'live' && faultOfSources(denial),
    mode === 'live' && !isUnscored && faultOfScore(denial, program, 'a score, or scoreUsed: false'),
    faultOfBureau(denial),
  ];
}

/** The notice states a score below the agencies whose reports were used, so its agency is one of them. */
function faultOfBureau({ score, sources }: DecisionFacts): Fault | undefined {
  if (!sources || !score || score.value === null) return undefined;
  const isNamed = sources.reports.some(({ name }) => name === score.bureau.name);
  return isNamed ? undefined : faultAt('sources.reports', 'one with the name of score.bureau', sources.reports);
}

const ACCEPTANCE_OUTCOMES = ['accepted', 'rejected'] as const;

/** Parses a lender's response to a signed loan of a program. */
export function parseAcceptance(response: unknown, program: ScorePolicy, mode: Mode): Parsed<Acceptance> {
  switch (outcomeOf(response, ACCEPTANCE_OUTCOMES)) {
    case 'accepted':
      return parseBy(Accepted, response);
    case 'rejected':
      return complete(parseBy(Rejected, response), (rejection) => faultsOfDenial(rejection, program, mode));
    case undefined:
  }
  return faultOfOutcome(response, ACCEPTANCE_OUTCOMES);
}

/**
 * Parses a lender's response to an event. A fault of its schedule does not make it invalid, because the event would be repeated for 30 days and
 * hold back all later ones of the loan.
 */
export function parseReceipt(response: unknown): Parsed<EventReceipt> {
  if (!outcomeOf(response, ['recorded'])) return faultOfOutcome(response, ['recorded']);
  const parsed = parseBy(Recorded, response);
  if ('fault' in parsed) return parsed;
  const { outcome, schedule: stated } = parsed.content;
  if (stated === undefined) return { content: { outcome } };
  const schedule = parseBy(Scheduled, { schedule: stated });
  return { content: { outcome, schedule: 'fault' in schedule ? schedule : { content: schedule.content.schedule } } };
}

/** Returns the tiers that have a rate for at least one term. */
export function tiersWithOffers({ tiers, offers }: Program): string[] {
  return tiers.map(({ id }) => id).filter((id) => offers.some(({ tierAprBps }) => Object.hasOwn(tierAprBps, id)));
}
