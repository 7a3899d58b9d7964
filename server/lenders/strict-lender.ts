import { type Asked, decisionIn } from './answers.ts';
import { type CreditDecision, type Lender, UnknownOutcome } from './lender.ts';

/**
 * Wraps a lender and validates its responses. An invalid response is an `UnknownOutcome`, so that a bug in an adapter neither
 * denies a buyer nor approves an offer that is not sold.
 */
export function strictLender(lender: Lender): Lender {
  return {
    decide: async (request) => decisionSaid(await lender.decide(request), request),
    decisionOf: async (asked) => {
      const said = await lender.decisionOf(asked);
      return said === 'undecided' || said === 'unknown' ? said : decisionSaid(said, asked);
    },
    accept: async (loan) => {
      const said = await lender.accept(loan);
      if (said !== 'accepted' && said !== 'refused') throw new UnknownOutcome('What the lender answered is neither yes nor no.');
      return said;
    },
  };
}

function decisionSaid(said: unknown, asked: Asked): CreditDecision {
  const decision = decisionIn(said, asked);
  if (typeof decision !== 'object') throw new UnknownOutcome('What the lender answered is no decision.');
  return decision;
}
