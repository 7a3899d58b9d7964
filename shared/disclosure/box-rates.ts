import { actuarialApr } from '../apr/actuarial.ts';
import type { Loan } from '../apr/loan.ts';
import { exceedsMaprCap, mapr, MAPR_CAP } from '../apr/mapr.ts';
import { isMinorIrregularity } from '../apr/minor-irregularity.ts';
import { type FirstPeriod, monthlyApr, REGULAR } from '../apr/monthly.ts';
import { isAccurate } from '../apr/tolerance.ts';
import { dueDay } from './due-dates.ts';
import type { TilaBox } from './tila-box.ts';

/**
 * Returns true if the stated APR is within 1/8 of a percentage point of the APR computed from the payments on their due dates.
 * Monthly payments do not make a loan irregular, whatever its first period.
 *
 * @throws RangeError if the payments do not repay the amount financed.
 * @see 12 CFR 1026.22(a)(2) and (3).
 */
export function isAprAccurate(box: TilaBox): boolean {
  return isAccurate(box.apr, exactApr(box), { irregular: false });
}

/**
 * Returns true if the military APR exceeds the cap of the program. There is no tolerance except for floating-point errors. The
 * statutory cap of 36 % is compared in exact arithmetic.
 */
export function exceedsMilitaryCap(box: TilaBox): boolean {
  const { maprBps } = box.caps;
  if (maprBps === null) return false;
  const loan = loanOf(box);
  const chargesCents = box.fees.reduce((sum, fee) => sum + (fee.mapr && !fee.financeCharge ? fee.cents : 0), 0);
  if (maprBps / 10_000 === MAPR_CAP) return exceedsMaprCap(loan, chargesCents);
  return mapr(loan, chargesCents) > maprBps / 10_000 + DOUBTFUL;
}

/** Allowance for floating-point errors, far below the effect of a cent. */
const DOUBTFUL = 1e-9;

function exactApr(box: TilaBox): number {
  const { amountFinancedCents, payments, firstPaymentAfter, firstPeriod } = box;
  if (isSame(firstPeriod, firstPaymentAfter)) return actuarialApr(loanOf(box));
  const paymentsCents = payments.map(({ paymentCents }) => paymentCents);
  return monthlyApr(amountFinancedCents, paymentsCents, firstPeriod);
}

/** Returns true if the first period is counted with its actual length, or as one month if it is a minor irregularity. */
export function isFirstPeriodValid({ firstPaymentAfter, firstPeriod, payments }: TilaBox): boolean {
  if (isSame(firstPeriod, firstPaymentAfter)) return true;
  return isSame(firstPeriod, REGULAR) && isMinorIrregularity(firstPaymentAfter, payments.length);
}

function isSame(one: FirstPeriod, other: FirstPeriod): boolean {
  return one.months === other.months && one.days === other.days;
}

/**
 * The unit-period is determined by Appendix J, (b)(4): the month for three or more payments; for one or two payments after an
 * odd first period, the term or the average of both periods.
 */
function loanOf({ date, amountFinancedCents, payments, firstPaymentAfter }: TilaBox): Loan {
  return {
    advances: [{ date, cents: amountFinancedCents }],
    payments: payments.map(({ dueOn, paymentCents }) => ({ date: dueOn, cents: paymentCents })),
    dueDay: dueDay(date, firstPaymentAfter),
  };
}
