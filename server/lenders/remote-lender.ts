import { ServiceError } from '../errors.ts';
import { type CreditDecision, type CreditRequest, type Lender, UnknownOutcomeError } from './lender.ts';
import { type DecisionContext, parseAcceptance, parseDecision } from './responses.ts';
import type { SendResult, SignedClient } from './signed-client.ts';

/**
 * A lender with an HTTPS API: `POST /decisions`, `GET /decisions/ID` and `POST /agreements`. docs/lenders.md documents the requests
 * and responses; decisions/0018 describes how invalid responses are handled.
 */
export function remoteLender({ send }: Pick<SignedClient, 'send'>): Lender {
  return {
    decide: async (request) => {
      const body = decisionRequestBody(request);
      const result = await send({
        method: 'POST',
        path: '/decisions',
        id: request.requestId,
        body,
        expectedStatuses: [200, 202],
      });
      if (result.kind === 'not-processed') throw new ServiceError('lender-unavailable', 'No lender is available at the moment.');
      const decision = requireDecision(result, request);
      if (decision === 'undecided' || decision === 'unknown') throw new UnknownOutcomeError('The lender has not decided yet.');
      return decision;
    },

    decisionOf: async (request) => {
      const path = `/decisions/${encodeURIComponent(request.requestId)}`;
      const result = await send({ method: 'GET', path, id: request.requestId, expectedStatuses: [200, 202, 404] });
      return requireDecision(result, request);
    },

    accept: async (loan) => {
      const result = await send({
        method: 'POST',
        path: '/agreements',
        id: loan.agreementId,
        body: loan,
        expectedStatuses: [200],
      });
      const acceptance = result.kind === 'response' ? parseAcceptance(result.body) : undefined;
      if (acceptance === undefined) throw new UnknownOutcomeError('The lender returned no valid response about the loan.');
      return acceptance;
    },
  };
}

/** Returns the body of a decision request: all data about the buyer that a lender receives. */
function decisionRequestBody({ program, ...rest }: CreditRequest): unknown {
  const { id, version, currency, tiers } = program;
  return {
    ...rest,
    program: { id, version, currency },
    tiers: tiers.map((tier) => ({ id: tier.id, creditBand: tier.creditBand })),
  };
}

/** Returns the decision of a response whose status matches the outcome in its body. @throws UnknownOutcomeError */
function requireDecision(result: SendResult, context: DecisionContext): CreditDecision | 'undecided' | 'unknown' {
  const decision = result.kind === 'response' ? parseDecision(result.body, context) : undefined;
  const status = decision === 'undecided' ? 202 : decision === 'unknown' ? 404 : 200;
  if (result.kind !== 'response' || decision === undefined || status !== result.status) {
    throw new UnknownOutcomeError('The lender returned no valid decision.');
  }
  return decision;
}
