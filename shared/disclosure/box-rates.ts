import { actuarialApr } from '../apr/actuarial.ts';
import type { Loan } from '../apr/loan.ts';
import { exceedsMaprCap, mapr, MAPR_CAP } from '../apr/mapr.ts';
import { isMinorIrregularity } from '../apr/minor-irregularity.ts';
import { type FirstPeriod, monthlyApr, REGULAR } from '../apr/monthly.ts';
import { isAccurate } from '../apr/tolerance.ts';
import { dueDay } from './due-dates.ts';
import type { TilaBox } from './tila-box.ts';

/**
 * Whether the annual percentage rate that a box states is the one its payments have on their dates, to 1/8 of a point. Payments
 * that are a month apart make no loan irregular, whatever its first period.
 *
 * @throws RangeError - the payments do not repay the amount financed.
 * @see 12 CFR 1026.22(a)(2) and (3).
 */
export function statesItsRate(box: TilaBox): boolean {
  return isAccurate(box.apr, exactApr(box), { irregular: false });
}

/**
 * Whether a loan costs a covered borrower more than its program allows. Without tolerance, but where doubles do not tell: 36 %,
 * the law's own cap, is decided in whole numbers.
 */
export function exceedsMilitaryCap(box: TilaBox): boolean {
  const { maprBps } = box.caps;
  if (maprBps === null) return false;
  const loan = loanOf(box);
  const chargesCents = box.fees.reduce((sum, fee) => sum + (fee.mapr && !fee.financeCharge ? fee.cents : 0), 0);
  if (maprBps / 10_000 === MAPR_CAP) return exceedsMaprCap(loan, chargesCents);
  return mapr(loan, chargesCents) > maprBps / 10_000 + DOUBTFUL;
}

/** Far more than the last digits of a rate, and far less than anything that is charged. */
const DOUBTFUL = 1e-9;

function exactApr(box: TilaBox): number {
  const { amountFinancedCents, payments, firstPaymentAfter, firstPeriod } = box;
  if (isSame(firstPeriod, firstPaymentAfter)) return actuarialApr(loanOf(box));
  const paymentsCents = payments.map(({ paymentCents }) => paymentCents);
  return monthlyApr(amountFinancedCents, paymentsCents, firstPeriod);
}

/** Whether the first period is counted as it is, or as the month that a slightly longer one may be taken for. */
export function countsItsFirstPeriod({ firstPaymentAfter, firstPeriod, payments }: TilaBox): boolean {
  if (isSame(firstPeriod, firstPaymentAfter)) return true;
  return isSame(firstPeriod, REGULAR) && isMinorIrregularity(firstPaymentAfter, payments.length);
}

function isSame(one: FirstPeriod, other: FirstPeriod): boolean {
  return one.months === other.months && one.days === other.days;
}

/**
 * Its unit-period is left to Appendix J, (b)(4): the month from three payments on; for one or two after an odd first period the
 * term, or the average of both periods.
 */
function loanOf({ date, amountFinancedCents, payments, firstPaymentAfter }: TilaBox): Loan {
  return {
    advances: [{ date, cents: amountFinancedCents }],
    payments: payments.map(({ dueOn, paymentCents }) => ({ date: dueOn, cents: paymentCents })),
    dueDay: dueDay(date, firstPaymentAfter),
  };
}
