import type { CivilDate } from './dates.ts';
import { formatMinorUnits } from './money.ts';
import { financeableCents, isAdvertised, offerLimits, paymentGroups, type Plan, plansFor } from './plans.ts';
import { counted, type DisclosureTexts, fill, formatApr } from './languages/texts.ts';
import type { RateSheet } from './programs/rate-sheet.ts';
import type { AsLowAs } from './wire/as-low-as.ts';

/** Range of purchase amounts that can be financed, in cents. */
type Limits = RateSheet['amount'];

type Money = (cents: number) => string;

/**
 * Returns the disclosure for an "as low as" price: one example with all its terms, and the conditions of the offer.
 *
 * @see Regulation Z, 12 CFR 1026.24(d): stating a payment requires the down payment, the terms of repayment over the full term
 *   and the APR.
 */
function asLowAsText(
  texts: DisclosureTexts,
  sheet: RateSheet,
  plan: Plan,
  range: Limits & { plans: Plan[]; minApr: number; maxApr: number },
  money: Money,
): string {
  const { locale, language } = texts;
  const { financing, aprBps, financeChargeCents, schedule } = plan;
  const { purchaseCents, downPaymentCents, fees } = financing;

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
    // `feeLent` is the beginning of a sentence, and `inFinanceCharge` its end.
    ...fees.map(
      ({ kind, cents }) => fill(texts.feeLent, { kind: texts.feeKinds[kind], fee: money(cents) }) + texts.inFinanceCharge,
    ),
    !financeChargeCents && texts.noFinanceCharge,
    fill(texts.rates, { minApr: formatApr(range.minApr, locale), maxApr: formatApr(range.maxApr, locale) }),
    // A set, because all plans of a promotion have the same sentence.
    ...new Set(range.plans.map(({ promo }) => promo?.text[language])),
    fill(texts.limits, limits(range, money)),
    sheet.closing[language],
  ]);
}

/**
 * Returns the text for amounts without an example. It states no payment.
 *
 * @param range - Empty, with a minimum above its maximum, if no amount can be financed.
 * @param unsoldCents - The amount if there is no plan for it; 0, which is outside of every range, if there are plans, but none may be advertised.
 */
function textWithoutExample(texts: DisclosureTexts, sheet: RateSheet, range: Limits, unsoldCents: number, money: Money): string {
  const { minCents, maxCents } = range;
  // Within the range there can be amounts without a plan, in a gap between two offers. Stating the range there would be wrong.
  const statesRange = minCents <= maxCents && (unsoldCents < minCents || unsoldCents > maxCents);
  return joined([statesRange ? fill(texts.outOfRange, limits(range, money)) : texts.notOffered, sheet.closing[texts.language]]);
}

function limits({ minCents, maxCents }: Limits, money: Money): Record<string, string> {
  return { min: money(minCents), max: money(maxCents) };
}

function payments(texts: DisclosureTexts, plan: Plan, money: Money): string {
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

/**
 * Returns the "as low as" example for a purchase: the lowest monthly payment of the plans that may be advertised, with its
 * disclosure.
 *
 * Only advertised tiers provide the example. `minApr` and `maxApr` cover every plan sold at this amount.
 *
 * If no offer covers the amount, there is no example: `monthly` and `termLength` are 0, `amount` is empty, `minApr` and
 * `maxApr` are those of the nearest financed amount, `apr` equals `maxApr`, and the text states which amounts can be financed.
 *
 * @param purchaseCents - Price in cents, a positive safe integer.
 * @param on - Date of the quote in the program's time zone. Promotions have a first and a last day.
 * @see server/docs/merchant-api.md, "Quote a price". Without fees, the stated APR is the contract rate; the APR computed from the rounded
 *   payments is within 1/8 of a percentage point of it. With fees, the stated APR is the computed one (server/decisions/0005,
 *   0007).
 */
export function asLowAs(sheet: RateSheet, purchaseCents: number, on: CivilDate, texts: DisclosureTexts): AsLowAs {
  const financeable = financeableCents(sheet, on);
  const plans = plansFor(sheet, purchaseCents, on);
  const best = plans.find((plan) => isAdvertised(sheet, plan));
  // Without plans for the amount, the rates are those at the nearest amount that an offer covers, or else the program's cap.
  const byDistance = (a: number, b: number) => Math.abs(a - purchaseCents) - Math.abs(b - purchaseCents);
  const sold = plans.length ? plans : plansFor(sheet, offerLimits(sheet, on).sort(byDistance)[0] ?? 0, on);
  const rates = sold.map(({ aprBps }) => aprBps);
  if (!rates.length) rates.push(sheet.caps.maxAprBps);
  const range = { minApr: aprFraction(Math.min(...rates)), maxApr: aprFraction(Math.max(...rates)) };
  const monthly = best?.schedule.levelPaymentCents ?? 0;
  const money = (cents: number) => formatMinorUnits(cents, sheet.currency, texts.locale);

  return {
    monthly,
    amount: best ? money(monthly) : '',
    termLength: best?.termLength ?? 0,
    termInterval: 'Month',
    apr: best ? aprFraction(best.aprBps) : range.maxApr,
    ...range,
    asLowAsText: best
      ? asLowAsText(texts, sheet, best, { ...financeable, ...range, plans }, money)
      : textWithoutExample(texts, sheet, financeable, plans.length ? 0 : purchaseCents, money),
  };
}

/**
 * Converts basis points to the fraction used in the API: 999 is `0.0999`. Dividing by 10,000 gives the shortest decimal,
 * without floating-point noise.
 */
export function aprFraction(aprBps: number): number {
  return aprBps / 10_000;
}
