import { type FirstPeriod, solveMonthlyApr } from './apr/monthly.ts';
import { statedBps } from './apr/percent.ts';
import type { Financing } from './financing.ts';
import type { RateSheet, RateSheetOffer } from './programs/rate-sheet.ts';
import { BPS_PER_YEAR, type Installment, paymentsOf, type Repayment, computeRepayment, shareHalfUp } from './repayment.ts';

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

/** The program terms that affect the payments, apart from the offer. */
type Terms = Pick<RateSheet, 'paymentRounding' | 'oddMonths'>;

/** Computes one plan, without checking whether it may be sold. */
export function computePlan(
  terms: Terms,
  financing: Financing,
  offer: RateSheetOffer,
  tierId: string,
  noteRateBps: number,
): Plan {
  const { amountFinancedCents, prepaidFinanceChargeCents } = financing;
  const { id, termLength, firstPeriod, promo } = offer;
  const schedule = repay(terms, financing, noteRateBps, termLength);
  // Without such fees or an odd first period, the APR is the note rate.
  const isPlain = !prepaidFinanceChargeCents && !terms.oddMonths.above && firstPeriod.months === 1 && !firstPeriod.days;
  const financeChargeCents = schedule.totalInterestCents + prepaidFinanceChargeCents;
  // A finance charge must not be stated as 0 %, even if the rate rounds to 0 basis points.
  const leastBps = financeChargeCents ? 1 : 0;
  return {
    financing,
    offerId: id,
    tierId,
    termLength: schedule.termLength,
    noteRateBps,
    aprBps: isPlain
      ? noteRateBps
      : Math.max(leastBps, statedBps(solveMonthlyApr(amountFinancedCents, paymentsOf(schedule), firstPeriod))),
    firstPeriod,
    promo,
    financeChargeCents,
    schedule,
  };
}

/** Returns every payment of a plan. */
export function installmentsOf(
  sheet: Terms & { offers: Pick<RateSheetOffer, 'id' | 'termLength'>[] },
  { financing, offerId, noteRateBps, termLength }: Plan,
): Installment[] {
  // Rounding may have shortened the plan, so compute its payments from the offered term.
  const offered = sheet.offers.find(({ id }) => id === offerId)?.termLength ?? termLength;
  const installments: Installment[] = [];
  repay(sheet, financing, noteRateBps, offered, installments);
  return installments;
}

/** Computes the repayment. The time before the first full month bears simple interest. */
function repay(
  { paymentRounding, oddMonths }: Terms,
  { principalCents }: Financing,
  noteRateBps: number,
  termLength: number,
  installments?: Installment[],
): Repayment {
  const oddCents = shareHalfUp(principalCents, noteRateBps * oddMonths.above, BPS_PER_YEAR * oddMonths.below);
  return computeRepayment(principalCents, noteRateBps, termLength, paymentRounding, oddCents, installments);
}
