import type { CivilDate } from './dates.ts';
import { asLowAsText, outOfRangeText } from './disclosure/as-low-as-text.ts';
import type { DisclosureTexts } from './languages/texts.ts';
import { formatMinorUnits } from './money.ts';
import { offerLimits, financeableCents, isAdvertised, plansFor } from './plans.ts';
import type { RateSheet } from './programs/rate-sheet.ts';
import type { AsLowAs } from './wire/as-low-as.ts';

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
  const limits = financeableCents(sheet, on);
  const plans = plansFor(sheet, purchaseCents, on);
  const best = plans.find((plan) => isAdvertised(sheet, plan));
  const byDistance = (a: number, b: number) => Math.abs(a - purchaseCents) - Math.abs(b - purchaseCents);
  const sold = plans.length ? plans : plansFor(sheet, offerLimits(sheet, on).sort(byDistance)[0] ?? 0, on);
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

/**
 * Converts basis points to the fraction used in the API: 999 is `0.0999`. Dividing by 10,000 gives the shortest decimal,
 * without floating-point noise.
 */
export function aprFraction(aprBps: number): number {
  return aprBps / 10_000;
}
