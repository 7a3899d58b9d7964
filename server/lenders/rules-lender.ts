import { type Clock, dateOf } from '../time.ts';
import type { CreditFile } from './credit-file.ts';
import type { Lender } from './lender.ts';
import { decide, type Terms } from './rules.ts';

/**
 * A lender that decides by `rules.ts` over the credit score of the buyer. It keeps nothing: what was asked and not heard must be
 * asked anew, and what is signed is accepted.
 */
export function rulesLender(
  creditFile: CreditFile,
  clock: Clock,
  { maxPaymentToIncomePercent }: Pick<Terms, 'maxPaymentToIncomePercent'>,
): Lender {
  return {
    decide: async (request) => {
      // The prices are those of the day on which the buyer applies, as the checkout has it.
      const on = dateOf(clock.now());
      return decide(request, await creditFile.find(request), { maxPaymentToIncomePercent, on });
    },
    decisionOf: async () => 'unknown',
    accept: async () => 'accepted',
  };
}
