import { array, enums, integer, is, literal, max, min, nullable, object, refine, size, type Struct } from 'superstruct';
import type { Program } from '../../shared/programs/program.ts';
import { type CreditDecision, type CreditRequest, DENIAL_REASONS, NEEDED_ACTIONS } from './lender.ts';

/** What an answer is held against. */
export type Asked = Pick<CreditRequest, 'requestId' | 'program' | 'amountCents'>;

const Undecided = object({ outcome: literal('undecided') });
const Unknown = object({ outcome: literal('unknown') });
const Accepted = object({ outcome: enums(['accepted', 'refused']) });

const Denied = object({
  outcome: literal('denied'),
  reasons: refine(size(array(enums([...DENIAL_REASONS])), 1, DENIAL_REASONS.length), 'distinct', (reasons) => {
    return new Set(reasons).size === reasons.length;
  }),
});
const Ineligible = object({ outcome: literal('ineligible') });
const NeedsAction = object({ outcome: literal('needs-action'), action: enums([...NEEDED_ACTIONS]) });

/**
 * What a lender's answer says, exactly; undefined when it says nothing we know, or approves what was not asked for: a tier that
 * the program does not sell, or more than the purchase.
 */
export function decisionIn(answer: unknown, asked: Asked): CreditDecision | 'undecided' | 'unknown' | undefined {
  if (is(answer, approvalFor(asked))) return answer;
  if (is(answer, Denied) || is(answer, Ineligible) || is(answer, NeedsAction)) return answer;
  if (is(answer, Undecided) || is(answer, Unknown)) return answer.outcome;
  return undefined;
}

/** Parses a lender's response about a signed loan; undefined if it is invalid. */
export function acceptanceIn(answer: unknown): 'accepted' | 'refused' | undefined {
  return is(answer, Accepted) ? answer.outcome : undefined;
}

function approvalFor({ program, amountCents }: Asked): Struct<CreditDecision & { outcome: 'approved' }> {
  return object({
    outcome: literal('approved'),
    tierId: enums(soldTiers(program)),
    limitCents: nullable(max(min(integer(), 1), amountCents)),
  });
}

/** The tiers that have a rate for one term or more. */
export function soldTiers({ tiers, offers }: Program): string[] {
  return tiers.map(({ id }) => id).filter((id) => offers.some(({ tierAprBps }) => Object.hasOwn(tierAprBps, id)));
}
