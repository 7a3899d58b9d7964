import { formatMoney, numberFormat } from './money.ts';

/** Who lends, and for which purchases. */
export interface Offering {
  lenderName: string;
  /** The least and the most that is financed, in cents. */
  minCents: number;
  maxCents: number;
}

/** The terms of one loan, as far as an example names them. Amounts are cents. */
export interface ExampleTerms {
  amountCents: number;
  termLength: number;
  aprBps: number;
  schedule: { levelPaymentCents: number; lastPaymentCents: number; totalOfPaymentsCents: number };
}

/**
 * The sentence that must stand beside an "as low as" price: one example with all its terms, and for whom it holds.
 *
 * @see Regulation Z, 12 CFR 1026.24(d): naming a payment requires the terms of repayment over the full term and the APR.
 */
export function asLowAsText(offering: Offering & { minApr: number; maxApr: number }, terms: ExampleTerms): string {
  const { amountCents, termLength, aprBps, schedule } = terms;
  const { levelPaymentCents, lastPaymentCents, totalOfPaymentsCents } = schedule;
  const payments =
    lastPaymentCents === levelPaymentCents
      ? counted(termLength, 'monthly payment', levelPaymentCents)
      : `${counted(termLength - 1, 'monthly payment', levelPaymentCents)} and a last payment of ${formatMoney(lastPaymentCents)}`;

  return [
    `Example: financing ${formatMoney(amountCents)} over ${plural(termLength, 'month')} at ${formatApr(aprBps / 10_000)} APR,`,
    `fixed, takes ${payments}, ${formatMoney(totalOfPaymentsCents)} in total.`,
    `Rates run from ${formatApr(offering.minApr)} to ${formatApr(offering.maxApr)} APR and depend on your credit, the amount and the term;`,
    'not everyone qualifies for the rate in the example.',
    `Financing is subject to credit approval, for purchases from ${formatMoney(offering.minCents)}`,
    `to ${formatMoney(offering.maxCents)}. Loans are made by ${offering.lenderName}.`,
  ].join(' ');
}

/** What is said instead when the amount is outside every offer's range. Names no payment. */
export function outOfRangeText({ lenderName, minCents, maxCents }: Offering): string {
  return [
    `Financing is offered for purchases from ${formatMoney(minCents)} to ${formatMoney(maxCents)},`,
    `subject to credit approval. Loans are made by ${lenderName}.`,
  ].join(' ');
}

function counted(count: number, what: string, cents: number): string {
  return `${plural(count, what)} of ${formatMoney(cents)}`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** `formatApr(0.0999)` is `9.99%`; a rate of zero is `0%`. */
export function formatApr(apr: number, locale = 'en-US'): string {
  const digits = apr === 0 ? 0 : 2;
  const style = { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return numberFormat(locale, style, `%${digits}`).format.format(apr);
}
