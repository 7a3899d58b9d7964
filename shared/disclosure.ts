import { formatMoney } from './money.ts';
import type { Plan } from './plans.ts';
import type { Program } from './programs.ts';

/**
 * The sentence that must stand beside an "as low as" price: one example with all its terms, and for whom it holds.
 *
 * @see Regulation Z, 12 CFR 1026.24(d): naming a payment requires the terms of repayment over the full term and the APR.
 */
export function asLowAsText(program: Program, plan: Plan, range: { minApr: number; maxApr: number }): string {
  const { levelPaymentCents, lastPaymentCents, totalOfPaymentsCents } = plan.schedule;
  const level = formatMoney(levelPaymentCents);
  const payments =
    lastPaymentCents === levelPaymentCents
      ? `${plan.termLength} monthly payments of ${level}`
      : `${plan.termLength - 1} monthly payments of ${level} and a last payment of ${formatMoney(lastPaymentCents)}`;

  return [
    `Example: financing ${formatMoney(plan.amountCents)} over ${plan.termLength} months at ${formatApr(plan.aprBps / 10_000)} APR,`,
    `fixed, takes ${payments}, ${formatMoney(totalOfPaymentsCents)} in total.`,
    `Rates run from ${formatApr(range.minApr)} to ${formatApr(range.maxApr)} APR and depend on your credit, the amount and the term;`,
    'not everyone qualifies for the rate in the example.',
    `Financing is subject to credit approval, for purchases from ${formatMoney(program.amount.minCents)}`,
    `to ${formatMoney(program.amount.maxCents)}. Loans are made by ${program.lender.name}.`,
  ].join(' ');
}

/** What is said instead when the amount is outside every offer's range. Names no payment. */
export function outOfRangeText(program: Program): string {
  return [
    `Financing is offered for purchases from ${formatMoney(program.amount.minCents)} to ${formatMoney(program.amount.maxCents)},`,
    `subject to credit approval. Loans are made by ${program.lender.name}.`,
  ].join(' ');
}

/** `formatApr(0.0999)` is `9.99%`; a rate of zero is `0%`. */
export function formatApr(apr: number, locale = 'en-US'): string {
  const digits = apr === 0 ? 0 : 2;
  return new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    apr,
  );
}
