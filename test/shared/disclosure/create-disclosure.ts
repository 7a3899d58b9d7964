import { discloseLoan, type DisclosureContext } from '../../../shared/disclosure/disclose-loan.ts';
import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { plansFor } from '../../../shared/plans.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { createFee, createOffer, createUncheckedProgram, TODAY } from '../../support/programs.ts';

/** Returns the disclosure of the first plan for a purchase. `change` overrides fields of the program, which need not be consistent. */
export function createDisclosure(
  change: Record<string, unknown> = {},
  cents = 124_800,
  context: Partial<DisclosureContext> = {},
): LoanDisclosure {
  const program = createUncheckedProgram({ offers: [createOffer({ termLength: 12, tierAprBps: { A: 1_799 } })], ...change });
  const [plan] = plansFor(rateSheet(program, context.state), cents, TODAY);
  if (!plan) throw new Error(`Expected a plan for ${cents} cents, but no plan is sold for it`);
  return discloseLoan(program, plan, { date: TODAY, ...context });
}

/** A program that uses every feature that affects a disclosure. */
export const elaborate = {
  lender: {
    name: 'First Fair Bank',
    nmlsId: '1234567',
    licenses: {
      CA: { type: 'CFL license', number: '60DBO-00000', regulator: { name: 'the DFPI', phone: '866-555-0100' } },
    },
  },
  downPayment: { percentBps: 1_000 },
  schedule: { firstPaymentAfter: { months: 1, days: 14 }, oddDaysInterest: '365' },
  fees: [
    createFee({ id: 'origination', amountBps: 200 }),
    createFee({ id: 'application', kind: 'application', flatCents: 1_500, financeCharge: false, financed: false, mapr: false }),
  ],
  late: { flatCents: 500, percentBps: 100 },
  states: {
    notices: {
      CA: [{ at: 'agreement', text: { en: 'Made under a California license.', es: 'Con licencia de California.' } }],
      WI: [{ at: 'application', text: { en: 'A notice to spouses.' } }],
    },
  },
};
