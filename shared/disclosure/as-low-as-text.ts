import { formatMinorUnits } from '../money.ts';
import type { Plan } from '../plan.ts';
import type { RateSheet, RateSheetOffer } from '../programs/rate-sheet.ts';
import { formatApr } from './figures.ts';
import { counted, type DisclosureTexts, fill } from './texts.ts';

/** Between what amounts purchases are financed, in cents. */
export interface Limits {
  minCents: number;
  maxCents: number;
}

/** Every APR that is sold at an amount lies between these, as fractions. */
export interface AprRange {
  minApr: number;
  maxApr: number;
}

/** What the sentences take from a rate sheet, and from a plan. */
type Sheet = Pick<RateSheet, 'currency' | 'firstDue' | 'closing'> & { offers: Pick<RateSheetOffer, 'id' | 'promo'>[] };
type Example = Pick<Plan, 'offerId' | 'termLength' | 'aprBps' | 'financeChargeCents'> & {
  financing: Pick<Plan['financing'], 'purchaseCents' | 'downPaymentCents' | 'fees'>;
  schedule: Omit<Plan['schedule'], 'termLength' | 'totalInterestCents'>;
};

/**
 * What must stand beside an "as low as" price: one example with all its terms, and for whom it holds.
 *
 * @see Regulation Z, 12 CFR 1026.24(d): naming a payment requires the down payment, the terms of repayment over the full term
 *   and the APR.
 */
export function asLowAsText(texts: DisclosureTexts, sheet: Sheet, plan: Example, range: Limits & AprRange): string {
  const { locale, language } = texts;
  const { financing, aprBps, financeChargeCents, schedule } = plan;
  const { purchaseCents, downPaymentCents, fees } = financing;
  const money = moneyIn(texts, sheet);
  const promo = sheet.offers.find(({ id }) => id === plan.offerId)?.promo;

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
      ({ kind, cents, financed, financeCharge }) =>
        fill(financed ? texts.feeLent : texts.feeToday, { kind: texts.feeKinds[kind], fee: money(cents) }) +
        (financeCharge ? texts.inFinanceCharge : texts.notInFinanceCharge),
    ),
    financeChargeCents ? '' : texts.noFinanceCharge,
    fill(texts.rates, { minApr: formatApr(range.minApr, locale), maxApr: formatApr(range.maxApr, locale) }),
    promo ? promo.text[language] : '',
    fill(texts.limits, limits(range, money)),
    sheet.closing[language],
  ]);
}

/** What is said instead when no offer covers the amount. Names no payment. */
export function outOfRangeText(texts: DisclosureTexts, sheet: Sheet, range: Limits): string {
  const isNone = range.minCents > range.maxCents;
  return joined([
    isNone ? texts.notOffered : fill(texts.outOfRange, limits(range, moneyIn(texts, sheet))),
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

/** The payments in order, a first or last one that is not like the others apart. */
function payments(texts: DisclosureTexts, { termLength, schedule }: Example, money: Money): string {
  const { firstPaymentCents, levelPaymentCents, lastPaymentCents } = schedule;
  const first = firstPaymentCents === levelPaymentCents ? 0 : 1;
  const last = lastPaymentCents === levelPaymentCents ? 0 : 1;
  const level = termLength - first - last;
  return [
    first && fill(texts.firstPayment, { first: money(firstPaymentCents) }),
    level && fill(counted(texts.levelPayments, level), { monthly: money(levelPaymentCents) }),
    last && fill(texts.lastPayment, { last: money(lastPaymentCents) }),
  ]
    .filter(Boolean)
    .map((part, index, { length }) => (index === 0 ? part : (index === length - 1 ? texts.and : ', ') + part))
    .join('');
}

function joined(sentences: readonly string[]): string {
  return sentences.filter(Boolean).join(' ');
}
