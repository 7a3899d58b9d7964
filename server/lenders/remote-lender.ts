import { ServiceError } from '../errors.ts';
import { acceptanceIn, type Asked, decisionIn } from './answers.ts';
import type { Call, Exchange, Heard } from './exchange.ts';
import { type CreditDecision, type CreditRequest, type Lender, UnknownOutcome } from './lender.ts';

/**
 * A lender behind an HTTPS endpoint of its own: `POST /decisions`, `GET /decisions/ID` and `POST /agreements` below its address.
 * docs/lenders.md documents the requests and responses; decisions/0018 says how invalid responses are handled.
 */
export function remoteLender({ ask }: Pick<Exchange, 'ask'>): Lender {
  return {
    decide: async (request) => {
      const body = questionOf(request);
      const heard = await ask({ method: 'POST', path: '/decisions', id: request.requestId, body, answers: [200, 202] });
      if (heard.kind === 'not-taken') {
        throw new ServiceError('lender-unavailable', 'No lender can be asked at the moment.');
      }
      const decision = decisionHeard(heard, request);
      if (decision === 'undecided' || decision === 'unknown') throw new UnknownOutcome('The lender has not decided yet.');
      return decision;
    },

    decisionOf: async (asked) => {
      const path = `/decisions/${encodeURIComponent(asked.requestId)}`;
      return decisionHeard(await ask({ method: 'GET', path, id: asked.requestId, answers: [200, 202, 404] }), asked);
    },

    accept: async (loan) => {
      const call: Call = { method: 'POST', path: '/agreements', id: loan.agreementId, body: loan, answers: [200] };
      const heard = await ask(call);
      const answer = heard.kind === 'answered' ? acceptanceIn(heard.body) : undefined;
      if (answer === undefined) throw new UnknownOutcome('Whether the lender accepts the loan was not heard.');
      return answer;
    },
  };
}

/** Builds the body of a decision request, with all the data about the buyer that a lender receives. */
function questionOf({ program, ...rest }: CreditRequest): unknown {
  const { id, version, currency, tiers } = program;
  return {
    ...rest,
    program: { id, version, currency },
    tiers: tiers.map((tier) => ({ id: tier.id, creditBand: tier.creditBand })),
  };
}

/** Each HTTP status has one outcome, and the body must have the same one. */
function decisionHeard(heard: Heard, asked: Asked): CreditDecision | 'undecided' | 'unknown' {
  if (heard.kind !== 'answered') throw new UnknownOutcome('What the lender decided was not heard.');
  const decision = decisionIn(heard.body, asked);
  const said = decision === 'undecided' ? 202 : decision === 'unknown' ? 404 : 200;
  if (decision === undefined || said !== heard.status) throw new UnknownOutcome('What the lender answered is no decision.');
  return decision;
}
