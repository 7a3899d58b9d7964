import { ServiceError } from '../../base/errors.ts';
import { type CreditRequest, invalidResponse, type Lender, UnknownOutcomeError } from './lender.ts';
import type { Mode } from '../../base/mode.ts';
import type { Parsed } from './fault.ts';
import { type DecisionContext, type DecisionState, parseAcceptance, parseDecision, parseReceipt } from './responses.ts';
import type { SendResult, SignedClient, SignedResponse } from './signed-client.ts';

/**
 * A lender with an HTTPS API: `POST /decisions`, `GET /decisions/ID`, `POST /agreements` and `POST /events`. docs/lenders.md documents the requests
 * and responses; decisions/0018 describes how invalid responses are handled.
 */
export function remoteLender({ send }: Pick<SignedClient, 'send'>, mode: Mode): Lender {
  return {
    decide: async (request) => {
      const result = await send({
        method: 'POST',
        path: '/decisions',
        id: request.requestId,
        body: decisionRequestBody(request),
        expectedStatuses: [200, 202],
        parse: decisionParser(request, mode),
      });
      if (result.kind === 'not-processed') throw new ServiceError('lender-unavailable', 'No lender is available at the moment.');
      const decision = requireContent(result);
      if (decision === 'undecided' || decision === 'unknown') throw new UnknownOutcomeError('The lender has not decided yet.');
      return decision;
    },

    decisionOf: async (request) => {
      const path = `/decisions/${encodeURIComponent(request.requestId)}`;
      const parse = decisionParser(request, mode);
      return requireContent(await send({ method: 'GET', path, id: request.requestId, expectedStatuses: [200, 202, 404], parse }));
    },

    accept: async (loan, program) => {
      const result = await send({
        method: 'POST',
        path: '/agreements',
        id: loan.agreementId,
        body: loan,
        expectedStatuses: [200],
        parse: ({ body }) => parseAcceptance(body, program, mode),
      });
      return requireContent(result);
    },

    record: async (event) => {
      const parse = ({ body }: SignedResponse) => parseReceipt(body);
      return requireContent(
        await send({ method: 'POST', path: '/events', id: event.id, body: event, expectedStatuses: [200], parse }),
      );
    },
  };
}

/** Returns the body of a decision request: all data about the buyer that a lender receives. */
export function decisionRequestBody({ program, hasPlan, ...rest }: CreditRequest): object {
  const { id, version, currency, amount } = program;
  const tiers = program.tiers.filter((tier) => hasPlan(tier.id, null));
  return {
    ...rest,
    program: { id, version, currency, minCents: amount.minCents },
    tiers: tiers.map((tier) => ({ id: tier.id, creditBand: tier.creditBand })),
  };
}

/** Returns a function that parses a decision whose status matches the outcome in its body. */
export function decisionParser(context: DecisionContext, mode: Mode): (response: SignedResponse) => Parsed<DecisionState> {
  return ({ status, body }) => {
    const parsed = parseDecision(body, context, mode);
    if ('fault' in parsed) return parsed;
    const expectedStatus = parsed.content === 'undecided' ? 202 : parsed.content === 'unknown' ? 404 : 200;
    return status === expectedStatus ? parsed : { fault: `status: expected ${expectedStatus} with this outcome` };
  };
}

/** @throws UnknownOutcomeError - there was no valid response. */
function requireContent<T>(result: SendResult<T>): T {
  if (result.kind === 'response') return result.content;
  const { invalid } = result;
  throw new UnknownOutcomeError(
    'The lender returned no valid response.',
    invalid && invalidResponse(invalid.fault, invalid.body),
  );
}
