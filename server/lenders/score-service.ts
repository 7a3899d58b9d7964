import { enums, integer, is, literal, max, min, object, union } from 'superstruct';
import { ServiceError } from '../errors.ts';
import type { CreditFile } from './credit-file.ts';
import type { Exchange } from './exchange.ts';

/** An answer, exactly. */
const Finding = union([
  object({ found: literal('score'), score: max(min(integer(), 300), 850) }),
  object({ found: enums(['no-score', 'frozen', 'no-file']) }),
]);

/**
 * Fetches credit scores from the operator's service in front of a bureau: `POST /scores` below its address, with the signatures and
 * responses of a lender's endpoint. An invalid response leaves the application undecided; it never causes a denial.
 */
export function scoreService({ ask }: Pick<Exchange, 'ask'>): CreditFile {
  return {
    find: async ({ requestId, contact, applicant: { dateOfBirth, taxIdLast4 } }) => {
      const body = { requestId, contact, applicant: { dateOfBirth, taxIdLast4 } };
      const heard = await ask({ method: 'POST', path: '/scores', id: requestId, body, answers: [200] });
      if (heard.kind === 'answered' && is(heard.body, Finding)) return heard.body;
      throw new ServiceError('lender-unavailable', 'No credit file can be looked at at the moment.');
    },
  };
}
