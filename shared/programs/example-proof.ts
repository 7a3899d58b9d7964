import { paymentGroups } from '../disclosure/as-low-as-text.ts';
import type { Plan } from '../plan.ts';

/**
 * Returns what does not add up in the example of a plan. Its sentences are filled with these figures, so that they are checked here once
 * for every language: the payments make the total, and the total the finance charge of the amount financed.
 *
 * @see Regulation Z, 12 CFR 1026.18(b), (d) and (h).
 */
export function exampleProblems(plan: Plan): string[] {
  const { purchaseCents, downPaymentCents, fees, amountFinancedCents } = plan.financing;
  const groups = paymentGroups(plan);
  const count = sum(groups.map((group) => group.count));
  const totalCents = sum(groups.map((group) => group.count * group.cents));
  const lentCents = sum(fees.filter(({ financed }) => financed).map(({ cents }) => cents));
  const chargedCents = sum(fees.filter(({ financeCharge }) => financeCharge).map(({ cents }) => cents));
  const figures: [name: string, expected: number, received: number][] = [
    ['payments', plan.termLength, count],
    ['cents in total', plan.schedule.totalOfPaymentsCents, totalCents],
    ['cents financed', amountFinancedCents, purchaseCents - downPaymentCents + lentCents - chargedCents],
    ['cents of finance charge', plan.financeChargeCents, totalCents - amountFinancedCents],
  ];
  return figures.flatMap(([name, expected, received]) =>
    expected === received ? [] : [`Expected an example with ${expected} ${name}, but its figures make ${received}`],
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
