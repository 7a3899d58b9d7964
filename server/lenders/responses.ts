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
import { ScoreResult, DENIAL_CODES, MAX_DENIAL_REASONS } from '../applications/decision.ts';
import {
  type Acceptance,
  type CreditDecision,
  type CreditRequest,
  type EventReceipt,
  type Lender,
  NEEDED_ACTIONS,
  UnknownOutcomeError,
} from './lender.ts';

/** The parts of a request that are required to validate its response. */
export type DecisionContext = Pick<CreditRequest, 'requestId' | 'program' | 'amountCents'>;

const Undecided = object({ outcome: literal('undecided') });
const Unknown = object({ outcome: literal('unknown') });
const Accepted = object({ outcome: literal('accepted') });
const Recorded = object({ outcome: literal('recorded') });

const Reason = union([enums([...DENIAL_CODES]), ReasonText]);
const Reasons = refine(size(array(Reason), 1, MAX_DENIAL_REASONS), 'distinct', (reasons) => {
  return new Set(reasons.map((reason) => JSON.stringify(reason))).size === reasons.length;
});
const Denied = object({ outcome: literal('denied'), reasons: Reasons, score: optional(ScoreResult) });
const Rejected = object({ outcome: literal('rejected'), reasons: optional(Reasons), score: optional(ScoreResult) });
const Ineligible = object({ outcome: literal('ineligible') });
const NeedsAction = object({ outcome: literal('needs-action'), action: enums([...NEEDED_ACTIONS]) });

/**
 * Parses a lender's response. Returns undefined if it is invalid: if it has unknown fields, or approves a tier without offers or more
 * than the requested amount.
 */
export function parseDecision(
  response: unknown,
  { program, amountCents }: DecisionContext,
): CreditDecision | 'undecided' | 'unknown' | undefined {
  const Approved = object({
    outcome: literal('approved'),
    tierId: enums(tiersWithOffers(program)),
    limitCents: nullable(max(min(integer(), 1), amountCents)),
    reasons: optional(Reasons),
    score: optional(ScoreResult),
    coveredBorrower: optional(boolean()),
  });
  if (is(response, Approved)) return response;
  if (is(response, Denied) || is(response, Ineligible) || is(response, NeedsAction)) return response;
  if (is(response, Undecided) || is(response, Unknown)) return response.outcome;
  return undefined;
}

/** Parses a lender's response to a signed loan. Returns undefined if it is invalid. */
export function parseAcceptance(response: unknown): Acceptance | undefined {
  return is(response, Accepted) || is(response, Rejected) ? response : undefined;
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
export function validatingLender(lender: Lender): Lender {
  return {
    decide: async (request) => requireDecision(await lender.decide(request), request),
    decisionOf: async (request) => {
      const response = await lender.decisionOf(request);
      return response === 'undecided' || response === 'unknown' ? response : requireDecision(response, request);
    },
    accept: async (loan) => {
      const acceptance = parseAcceptance(await lender.accept(loan));
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

function requireDecision(response: unknown, context: DecisionContext): CreditDecision {
  const decision = parseDecision(response, context);
  if (typeof decision !== 'object') throw new UnknownOutcomeError('The lender returned an invalid response.');
  return decision;
}
