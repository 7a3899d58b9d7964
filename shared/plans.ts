import { costsMoreThan } from './apr/monthly.ts';
import { REGULAR_TOLERANCE } from './apr/tolerance.ts';
import type { CivilDate } from './dates.ts';
import { financingOf } from './financing.ts';
import { type Plan, workOut } from './plan.ts';
import type { RateSheet, RateSheetOffer } from './programs/rate-sheet.ts';
import { paymentsOf } from './repayment.ts';

/**
 * Every plan that is sold for a purchase on a day, in UTC, whatever the buyer's tier.
 *
 * Sorted from the lowest monthly payment; at the same monthly payment the lower total comes first, then the lower rate, then the
 * shorter term, then the first in the sheet. Not sold are plans whose whole-cent payments miss the stated rate by more
 * than the law allows, as happens now and then below $60 (server/decisions/0005), or cost more than the program's caps.
 */
export function plansFor(sheet: RateSheet, purchaseCents: number, on: CivilDate): Plan[] {
  const { amount } = sheet;
  if (!(purchaseCents >= amount.minCents && purchaseCents <= amount.maxCents)) return [];
  const financing = financingOf(sheet, purchaseCents);
  if (financing.amountFinancedCents < 1) return [];

  return offersOn(sheet, on)
    .filter(({ minCents, maxCents }) => purchaseCents >= (minCents ?? 0) && purchaseCents <= (maxCents ?? Infinity))
    .flatMap((offer) =>
      Object.entries(offer.tierAprBps)
        .map(([tierId, rateBps]) => workOut(sheet, financing, offer, tierId, rateBps))
        // Some cents are repaid early by whole ones, or by payments of nothing and a last one.
        .filter(({ termLength, schedule }) => termLength === offer.termLength && schedule.levelPaymentCents > 0),
    )
    .filter((plan) => !faultOf(sheet, plan))
    .sort(byCost);
}

/**
 * Why a plan may not be sold: `cap` and `mapr`, it costs more than the caps allow; `accuracy`, its whole cents cost more or less
 * than what is stated, by over 1/8 of a point.
 */
export function faultOf(
  { caps }: Pick<RateSheet, 'caps'>,
  { aprBps, financing, firstPeriod, schedule }: Plan,
): 'cap' | 'accuracy' | 'mapr' | undefined {
  const { maxAprBps, maprCapBps } = caps;
  const { amountFinancedCents, fees } = financing;
  const payments = paymentsOf(schedule);
  const isAbove = (apr: number, cents: number) => costsMoreThan(apr, cents, payments, firstPeriod);
  const apr = aprBps / 10_000;

  if (aprBps > maxAprBps) return 'cap';
  if (isAbove(apr + REGULAR_TOLERANCE, amountFinancedCents) || !isAbove(apr - REGULAR_TOLERANCE, amountFinancedCents)) {
    return 'accuracy';
  }
  // The military rate counts charges that the other does not: they leave the buyer with that much less.
  const chargedCents = fees.reduce((sum, { cents, mapr, financeCharge }) => sum + (mapr && !financeCharge ? cents : 0), 0);
  return maprCapBps !== null && isAbove(maprCapBps / 10_000, amountFinancedCents - chargedCents) ? 'mapr' : undefined;
}

/** Whether one of `plansFor` may stand in an example. */
export function isAdvertised({ advertisedTiers, caps }: RateSheet, { tierId, aprBps }: Plan): boolean {
  return advertisedTiers.includes(tierId) && aprBps <= caps.advertisedAprBps;
}

/** The least and the most that any offer is for on a day, in cents; the least above the most when there is none. */
export function financeableCents(sheet: RateSheet, on: CivilDate): { minCents: number; maxCents: number } {
  const ends = endsOf(sheet, on);
  return { minCents: Math.min(...ends), maxCents: Math.max(...ends) };
}

/** The least and the most that each offer is for on a day, one after the other. */
export function endsOf(sheet: RateSheet, on: CivilDate): number[] {
  const { amount } = sheet;
  return offersOn(sheet, on).flatMap(({ minCents, maxCents }) => [
    Math.max(minCents ?? 0, amount.minCents),
    Math.min(maxCents ?? Infinity, amount.maxCents),
  ]);
}

/** All offers but promotions on other days. */
function offersOn({ offers }: RateSheet, on: CivilDate): RateSheetOffer[] {
  return offers.filter(({ promo }) => !promo || (promo.from <= on && on <= promo.to));
}

function byCost(a: Plan, b: Plan): number {
  return (
    a.schedule.levelPaymentCents - b.schedule.levelPaymentCents ||
    a.schedule.totalOfPaymentsCents - b.schedule.totalOfPaymentsCents ||
    a.aprBps - b.aprBps ||
    a.termLength - b.termLength
  );
}
