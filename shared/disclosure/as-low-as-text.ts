import { formatMinorUnits } from '../money.ts';
import { paymentGroups, type Plan } from '../plans.ts';
import type { RateSheet } from '../programs/rate-sheet.ts';
import { formatApr, counted, type DisclosureTexts, fill } from '../languages/texts.ts';

/** Range of purchase amounts that can be financed, in cents. */
export interface Limits {
  minCents: number;
  maxCents: number;
}

/** The plans sold at an amount, and the range of their APRs, as fractions. */
export interface PlanRange {
  plans: Pick<Plan, 'promo'>[];
  minApr: number;
  maxApr: number;
}

/** The fields of a rate sheet and a plan that the text uses. */
type Sheet = Pick<RateSheet, 'currency' | 'firstDue' | 'closing'>;
type Example = Pick<Plan, 'termLength' | 'aprBps' | 'financeChargeCents'> & {
  financing: Pick<Plan['financing'], 'purchaseCents' | 'downPaymentCents' | 'fees'>;
  schedule: Omit<Plan['schedule'], 'termLength' | 'totalInterestCents'>;
};

/**
 * Returns the disclosure for an "as low as" price: one example with all its terms, and the conditions of the offer.
 *
 * @see Regulation Z, 12 CFR 1026.24(d): stating a payment requires the down payment, the terms of repayment over the full term
 *   and the APR.
 */
export function asLowAsText(texts: DisclosureTexts, sheet: Sheet, plan: Example, range: Limits & PlanRange): string {
  const { locale, language } = texts;
  const { financing, aprBps, financeChargeCents, schedule } = plan;
  const { purchaseCents, downPaymentCents, fees } = financing;
  const money = moneyIn(texts, sheet);

  return joined([
    fill(texts.example, {
      purchase: money(purchaseCents),
      down: downPaymentCents ? fill(texts.down, { downPayment: money(downPaymentCents) }) : '',
      months: counted(texts.months, plan.termLength),
      apr: formatApr(aprBps / 10_000, locale),
      payments: payments(texts, plan, money),
      total: money(schedule.totalOfPaymentsCents),
    }),
    sheet.firstDue[language],
    ...fees.map(
      ({ kind, cents }) => fill(texts.feeLent, { kind: texts.feeKinds[kind], fee: money(cents) }) + texts.inFinanceCharge,
    ),
    !financeChargeCents && texts.noFinanceCharge,
    fill(texts.rates, { minApr: formatApr(range.minApr, locale), maxApr: formatApr(range.maxApr, locale) }),
    ...new Set(range.plans.map(({ promo }) => promo?.text[language])),
    fill(texts.limits, limits(range, money)),
    sheet.closing[language],
  ]);
}

/**
 * Returns the text for amounts without an example. It states no payment.
 *
 * @param purchaseCents - The amount, if no offer covers it; 0 if there are offers but none may be advertised.
 * @param range - Empty, with a minimum above its maximum, if no amount can be financed.
 */
export function outOfRangeText(texts: DisclosureTexts, sheet: Sheet, range: Limits, purchaseCents: number): string {
  const { minCents, maxCents } = range;
  const isOutsideRange = minCents <= maxCents && (purchaseCents < minCents || purchaseCents > maxCents);
  return joined([
    isOutsideRange ? fill(texts.outOfRange, limits(range, moneyIn(texts, sheet))) : texts.notOffered,
    sheet.closing[texts.language],
  ]);
}

type Money = (cents: number) => string;

function moneyIn({ locale }: DisclosureTexts, { currency }: Sheet): Money {
  return (cents) => formatMinorUnits(cents, currency, locale);
}

function limits({ minCents, maxCents }: Limits, money: Money): Record<string, string> {
  return { min: money(minCents), max: money(maxCents) };
}

function payments(texts: DisclosureTexts, plan: Example, money: Money): string {
  const render = {
    first: (amount: string) => fill(texts.firstPayment, { first: amount }),
    level: (amount: string, count: number) => fill(counted(texts.levelPayments, count), { monthly: amount }),
    last: (amount: string) => fill(texts.lastPayment, { last: amount }),
  };
  const parts = paymentGroups(plan).map(({ kind, count, cents }) => render[kind](money(cents), count));
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(texts.and);
}

function joined(sentences: readonly (string | false | undefined)[]): string {
  return sentences.filter(Boolean).join(' ');
}
