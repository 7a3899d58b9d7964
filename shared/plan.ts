import { type FirstPeriod, solveMonthlyApr } from './apr/monthly.ts';
import { statedBps } from './apr/percent.ts';
import type { Financing } from './financing.ts';
import type { RateSheet, RateSheetOffer } from './programs/rate-sheet.ts';
import { BPS_PER_YEAR, type Installment, paymentsOf, type Repayment, repaymentOf, shareHalfUp } from './repayment.ts';

/** A term that a program sells to one tier, worked out for one purchase. Amounts are cents. */
export interface Plan {
  financing: Financing;
  offerId: string;
  tierId: string;
  /** Number of payments. */
  termLength: number;
  /** The yearly interest of the loan itself, in basis points. */
  noteRateBps: number;
  /** The annual percentage rate as it is stated, in basis points. Not the note rate where fees or an odd first period count. */
  aprBps: number;
  /** The first period as the annual percentage rate counts it. */
  firstPeriod: FirstPeriod;
  promo: RateSheetOffer['promo'];
  /** Interest, and the fees that are part of the finance charge. */
  financeChargeCents: number;
  schedule: Repayment;
}

/** What decides about a plan's payments, beside the offer. */
type Terms = Pick<RateSheet, 'paymentRounding' | 'oddMonths'>;

/** Works out one plan, whether or not it may be sold. */
export function workOut(terms: Terms, financing: Financing, offer: RateSheetOffer, tierId: string, noteRateBps: number): Plan {
  const { amountFinancedCents, prepaidFinanceChargeCents } = financing;
  const { id, termLength, firstPeriod, promo } = offer;
  const schedule = repay(terms, financing, noteRateBps, termLength);
  // The rate of the note is what the loan costs, unless a fee or an odd first period makes it cost something else.
  const isPlain = !prepaidFinanceChargeCents && !terms.oddMonths.above && firstPeriod.months === 1 && !firstPeriod.days;
  const financeChargeCents = schedule.totalInterestCents + prepaidFinanceChargeCents;
  // A charge of some cents on a large loan is a rate that rounds to nothing, and is not nothing.
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

/** Each payment of a plan. */
export function installmentsOf(
  sheet: Terms & { offers: Pick<RateSheetOffer, 'id' | 'termLength'>[] },
  { financing, offerId, noteRateBps, termLength }: Plan,
): Installment[] {
  // Rounding may have shortened the plan; its payments are those of the whole term.
  const offered = sheet.offers.find(({ id }) => id === offerId)?.termLength ?? termLength;
  const installments: Installment[] = [];
  repay(sheet, financing, noteRateBps, offered, installments);
  return installments;
}

/** The odd time before the first month bears simple interest. */
function repay(
  { paymentRounding, oddMonths }: Terms,
  { principalCents }: Financing,
  noteRateBps: number,
  termLength: number,
  installments?: Installment[],
): Repayment {
  const oddCents = shareHalfUp(principalCents, noteRateBps * oddMonths.above, BPS_PER_YEAR * oddMonths.below);
  return repaymentOf(principalCents, noteRateBps, termLength, paymentRounding, oddCents, installments);
}
