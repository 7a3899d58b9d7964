import { costsMoreThan, type FirstPeriod, solveMonthlyApr, REGULAR_TOLERANCE, statedBps } from './apr.ts';
import type { CivilDate } from './dates.ts';
import { computeFinancing, type Financing } from './financing.ts';
import type { RateSheet, RateSheetOffer } from './programs/rate-sheet.ts';
import { paymentsOf, BPS_PER_YEAR, type Installment, type Repayment, amortize, shareHalfUp } from './amortization.ts';

/**
 * Version of the financing calculations. Raise it whenever the same program, amount and date would give a different payment,
 * rate or total, so that every stored quote can be traced to the rules that produced it.
 */
export const CALCULATION_VERSION = 1;

/** A financing plan: one offer for one tier, computed for one purchase. Amounts are in cents. */
export interface Plan {
  financing: Financing;
  offerId: string;
  tierId: string;
  /** Number of payments. */
  termLength: number;
  /** Annual interest rate of the note, in basis points. */
  noteRateBps: number;
  /** Stated APR in basis points. It differs from the note rate if there are fees or an odd first period. */
  aprBps: number;
  /** First period as counted in the APR calculation. */
  firstPeriod: FirstPeriod;
  promo: RateSheetOffer['promo'];
  /** Interest plus the fees that are part of the finance charge. */
  financeChargeCents: number;
  schedule: Repayment;
}

/**
 * Returns every plan sold for a purchase on a date in the program's time zone, for all tiers.
 *
 * Sorted by monthly payment, then total of payments, APR and term length; plans that are still equal keep the order of the rate
 * sheet. Excludes plans that exceed the program's caps and plans whose rounded payments make the stated APR inaccurate, which
 * can happen below $60 (server/decisions/0005).
 */
export function plansFor(sheet: RateSheet, purchaseCents: number, on: CivilDate): Plan[] {
  const { amount } = sheet;
  if (!(purchaseCents >= amount.minCents && purchaseCents <= amount.maxCents)) return [];
  const financing = computeFinancing(sheet, purchaseCents);
  if (financing.amountFinancedCents < 1) return [];

  return offersOn(sheet, on)
    .filter(({ minCents, maxCents }) => purchaseCents >= (minCents ?? 0) && purchaseCents <= (maxCents ?? Infinity))
    .flatMap((offer) =>
      Object.entries(offer.tierAprBps)
        .map(([tierId, rateBps]) => computePlan(sheet, financing, offer, tierId, rateBps))
        // For tiny amounts, rounding can repay the loan early or reduce the level payment to zero.
        .filter(({ termLength, schedule }) => termLength === offer.termLength && schedule.levelPaymentCents > 0),
    )
    .filter((plan) => !findViolation(sheet, plan))
    .sort(byCost);
}

/**
 * Returns why a plan may not be sold, or undefined if it may.
 *
 * `cap` and `mapr`: it exceeds a cap of the program. `accuracy`: the APR of its rounded payments differs from the stated APR by
 * more than 1/8 of a percentage point.
 */
export function findViolation(
  { caps }: RateSheet,
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
  // The military APR also counts charges that the APR does not. They reduce the amount the buyer receives.
  const chargedCents = fees.reduce((sum, { cents, mapr, financeCharge }) => sum + (mapr && !financeCharge ? cents : 0), 0);
  return maprCapBps !== null && isAbove(maprCapBps / 10_000, amountFinancedCents - chargedCents) ? 'mapr' : undefined;
}

/** Returns true if a plan may be used as an advertised example. */
export function isAdvertised({ advertisedTiers, caps }: RateSheet, { tierId, aprBps }: Plan): boolean {
  return advertisedTiers.includes(tierId) && aprBps <= caps.advertisedAprBps;
}

/**
 * Returns the smallest and the largest amount that any offer covers on a date, in cents. If there is no offer, `minCents` is
 * above `maxCents`.
 */
export function financeableCents(sheet: RateSheet, on: CivilDate): { minCents: number; maxCents: number } {
  const limits = offerLimits(sheet, on);
  return { minCents: Math.min(...limits), maxCents: Math.max(...limits) };
}

/** Returns the minimum and maximum amount of each offer on a date, in one flat list. */
export function offerLimits(sheet: RateSheet, on: CivilDate): number[] {
  const { amount } = sheet;
  return offersOn(sheet, on).flatMap(({ minCents, maxCents }) => [
    Math.max(minCents ?? 0, amount.minCents),
    Math.min(maxCents ?? Infinity, amount.maxCents),
  ]);
}

/** Returns all offers except promotions that are not active on this date. */
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

/** Computes one plan, without checking whether it may be sold. */
export function computePlan(
  sheet: RateSheet,
  financing: Financing,
  offer: RateSheetOffer,
  tierId: string,
  noteRateBps: number,
): Plan {
  const { amountFinancedCents, prepaidFinanceChargeCents } = financing;
  const { id, termLength, firstPeriod, promo } = offer;
  const schedule = repay(sheet, financing, noteRateBps, termLength);
  // Without such fees or an odd first period, the APR is the note rate.
  const isPlain = !prepaidFinanceChargeCents && !sheet.oddMonths.above && firstPeriod.months === 1 && !firstPeriod.days;
  const financeChargeCents = schedule.totalInterestCents + prepaidFinanceChargeCents;
  // A finance charge must not be stated as 0 %, even if the rate rounds to 0 basis points.
  const minAprBps = financeChargeCents ? 1 : 0;
  return {
    financing,
    offerId: id,
    tierId,
    termLength: schedule.termLength,
    noteRateBps,
    aprBps: isPlain
      ? noteRateBps
      : Math.max(minAprBps, statedBps(solveMonthlyApr(amountFinancedCents, paymentsOf(schedule), firstPeriod))),
    firstPeriod,
    promo,
    financeChargeCents,
    schedule,
  };
}

/** Returns every payment of a plan. */
export function installmentsOf(sheet: RateSheet, { financing, offerId, noteRateBps, termLength }: Plan): Installment[] {
  // Rounding may have shortened the plan, so compute its payments from the offered term.
  const offeredTerm = sheet.offers.find(({ id }) => id === offerId)?.termLength ?? termLength;
  const installments: Installment[] = [];
  repay(sheet, financing, noteRateBps, offeredTerm, installments);
  return installments;
}

/** Computes the repayment. The time before the first full month, `oddMonths.above / oddMonths.below` months, bears simple interest. */
function repay(
  { paymentRounding, oddMonths }: RateSheet,
  { principalCents }: Financing,
  noteRateBps: number,
  termLength: number,
  installments?: Installment[],
): Repayment {
  const oddCents = shareHalfUp(principalCents, noteRateBps * oddMonths.above, BPS_PER_YEAR * oddMonths.below);
  return amortize(principalCents, noteRateBps, termLength, paymentRounding, oddCents, installments);
}

/** Lists the payments of an example in order. A first or last payment that differs from the level payment is listed separately. */
export function paymentGroups({
  termLength,
  schedule,
}: Plan): { kind: 'first' | 'level' | 'last'; count: number; cents: number }[] {
  const { firstPaymentCents, levelPaymentCents, lastPaymentCents } = schedule;
  const first = firstPaymentCents === levelPaymentCents ? 0 : 1;
  const last = lastPaymentCents === levelPaymentCents ? 0 : 1;
  const groups = [
    { kind: 'first', count: first, cents: firstPaymentCents },
    { kind: 'level', count: termLength - first - last, cents: levelPaymentCents },
    { kind: 'last', count: last, cents: lastPaymentCents },
  ] as const;
  return groups.filter(({ count }) => count > 0);
}
