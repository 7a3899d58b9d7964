import type { CivilDate } from './dates.ts';
import { asLowAsText, outOfRangeText } from './disclosure/as-low-as-text.ts';
import type { DisclosureTexts } from './disclosure/texts.ts';
import { formatMinorUnits } from './money.ts';
import { endsOf, financeableCents, isAdvertised, plansFor } from './plans.ts';
import type { RateSheet } from './programs/rate-sheet.ts';
import type { AsLowAs } from './wire/as-low-as.ts';

/**
 * The "as low as" example for a purchase: the lowest monthly payment that is really sold, with its disclosure.
 *
 * Only tiers that may be advertised give the example; `minApr` and `maxApr` span every plan sold at this amount.
 * Outside every offer's range there is no example: `monthly` and `termLength` are 0, `amount` is empty, the rates are
 * those of the nearest amount that is financed, `apr` is the highest of them, and the text says for which amounts financing is
 * offered.
 *
 * @param purchaseCents - Price in cents, a positive safe integer.
 * @param on            - The day, in UTC: promotions have first and last ones.
 * @see Interface, "asLowAs object". Without fees the stated APR is the contract rate, which the exact APR of the cents paid is
 *   within 1/8 of a point of; with fees it is the exact one (server/decisions/0005, 0007).
 */
export function asLowAs(sheet: RateSheet, purchaseCents: number, on: CivilDate, texts: DisclosureTexts): AsLowAs {
  const limits = financeableCents(sheet, on);
  const plans = plansFor(sheet, purchaseCents, on);
  const best = plans.find((plan) => isAdvertised(sheet, plan));
  const byDistance = (a: number, b: number) => Math.abs(a - purchaseCents) - Math.abs(b - purchaseCents);
  const sold = plans.length ? plans : plansFor(sheet, endsOf(sheet, on).sort(byDistance)[0] ?? 0, on);
  const rates = sold.map(({ aprBps }) => aprBps);
  if (!rates.length) rates.push(sheet.caps.maxAprBps);
  const range = { minApr: aprFraction(Math.min(...rates)), maxApr: aprFraction(Math.max(...rates)) };
  const monthly = best?.schedule.levelPaymentCents ?? 0;

  return {
    monthly,
    amount: best ? formatMinorUnits(monthly, sheet.currency, texts.locale) : '',
    termLength: best?.termLength ?? 0,
    termInterval: 'Month',
    apr: best ? aprFraction(best.aprBps) : range.maxApr,
    ...range,
    asLowAsText: best
      ? asLowAsText(texts, sheet, best, { ...limits, ...range, plans })
      : outOfRangeText(texts, sheet, limits, plans.length ? 0 : purchaseCents),
  };
}

/** Basis points as the fraction that stands on the wire: 999 is `0.0999`. A division leaves no binary noise behind it. */
export function aprFraction(aprBps: number): number {
  return aprBps / 10_000;
}
