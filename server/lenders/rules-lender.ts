import { enums, integer, is, literal, max, min, object, refine, union } from 'superstruct';
import { dateIn } from '../../shared/dates.ts';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../time.ts';
import { CreditScore } from './credit-score.ts';
import type { CreditRequest, Lender } from './lender.ts';
import { type CreditFile, decide, type RulesOptions } from './rules.ts';
import type { SignedClient, SignedResponse } from './signed-client.ts';

/**
 * A lender that decides with `rules.ts` by the buyer's credit score. It is stateless: a request whose response was lost is sent
 * again, and every signed loan is accepted.
 */
export function rulesLender(
  client: Pick<SignedClient, 'send'>,
  clock: Clock,
  { maxPaymentToIncomePercent }: Pick<RulesOptions, 'maxPaymentToIncomePercent'>,
): Lender {
  return {
    decide: async (request) => {
      // Rates are those of the day on which the buyer applies, as in the checkout.
      const on = dateIn(clock.now(), request.program.timeZone);
      return decide(request, await fetchCreditFile(client, request), { maxPaymentToIncomePercent, on });
    },
    decisionOf: async () => 'unknown',
    accept: async () => ({ outcome: 'accepted' }),
  };
}

/** Credit bands of tiers are in this range, whatever the range of the score's model is. */
const Score = max(min(integer(), 300), 850);

const CreditFileResponse = union([
  object({ found: literal('score'), score: union([Score, refine(CreditScore, 'score', ({ value }) => is(value, Score))]) }),
  object({ found: enums(['no-score', 'frozen', 'no-file']) }),
]);

/**
 * Fetches a credit file from the operator's service in front of a credit bureau: `POST /scores`, signed like requests to a lender.
 * Sends neither the income nor the purchase. An invalid response leaves the application undecided; it never causes a denial.
 *
 * @throws ServiceError `lender-unavailable` - the buyer may try again.
 */
async function fetchCreditFile(
  { send }: Pick<SignedClient, 'send'>,
  { requestId, contact, applicant: { dateOfBirth, taxIdLast4, taxId } }: CreditRequest,
): Promise<CreditFile> {
  const applicant = { dateOfBirth, taxIdLast4, ...(taxId !== undefined && { taxId }) };
  const body = { requestId, contact, applicant };
  const parse = ({ body: response }: SignedResponse) => (is(response, CreditFileResponse) ? response : undefined);
  const result = await send({ method: 'POST', path: '/scores', id: requestId, body, expectedStatuses: [200], parse });
  if (result.kind === 'response') return result.content;
  throw new ServiceError('lender-unavailable', 'The credit file is not available at the moment.');
}
