/** Time from the loan to its first payment. The other payments follow at monthly intervals. */
export interface FirstPeriod {
  /** Whole months, 1 or more. */
  months: number;
  /** Odd days before the months, 0 to 27. 28 days can be a full month, in February. */
  days: number;
}

/** First payment one month after the loan. */
export const REGULAR: FirstPeriod = { months: 1, days: 0 };

/**
 * Returns the annual percentage rate, by the actuarial method, of one advance repaid by monthly payments. Unrounded.
 *
 * Solves `amountFinanced = sum of payment_j / ((1 + f i) (1 + i)^(m - 1 + j))` for the monthly rate `i` and returns `12 i`. m
 * is the number of months in the first period and f its odd days divided by 30.
 *
 * @param amountFinancedCents - Amount that the buyer receives or that is paid on their behalf, in cents.
 * @param paymentsCents - Monthly payments in order, in cents.
 * @returns A fraction: `0.0999` is 9.99 %.
 * @throws RangeError if the payments do not repay the amount.
 * @see Regulation Z, 12 CFR 1026.22 and its Appendix J, general equation (b)(8), with the month as unit-period.
 */
export function monthlyApr(amountFinancedCents: number, paymentsCents: readonly number[], first: FirstPeriod = REGULAR): number {
  const paidCents = paymentsCents.reduce((sum, payment) => sum + payment, 0);
  if (!(amountFinancedCents > 0) || paidCents < amountFinancedCents) {
    throw new RangeError(`Payments of ${paidCents} cents do not repay ${amountFinancedCents} cents`);
  }
  return solveMonthlyApr(amountFinancedCents, paymentsCents, first);
}

/** Like `monthlyApr`, for payments that are known to repay the amount. */
export function solveMonthlyApr(amountFinancedCents: number, paymentsCents: readonly number[], first: FirstPeriod): number {
  let rate = 0;
  let step: number;
  do {
    // The excess is convex and decreasing, so Newton's method, starting at 0, increases monotonically to the only root.
    const [excess, negativeSlope] = excessAt(rate, amountFinancedCents, paymentsCents, first);
    step = Math.max(0, excess / negativeSlope);
    rate += step;
    // Convergence is quadratic: after a step this small, only rounding errors remain.
  } while (step > 1e-9 * (1 + rate));
  return 12 * rate;
}

/** Relative rounding error of a present value. Smaller differences are ignored. */
const ROUNDING_ERROR = 1e-12;

/**
 * Returns true if the APR of a loan is above `apr`, which is a fraction. An equal rate returns false.
 *
 * Does not solve the equation: at a rate above the APR, the present value of the payments is less than the advance.
 */
export function costsMoreThan(
  apr: number,
  amountFinancedCents: number,
  paymentsCents: readonly number[],
  first: FirstPeriod = REGULAR,
): boolean {
  return excessAt(apr / 12, amountFinancedCents * (1 + ROUNDING_ERROR), paymentsCents, first)[0] > 0;
}

/**
 * Returns the excess of the present value of the payments over the amount, when the odd days of the first period end and
 * its whole months begin, and its negative derivative with respect to the rate. Uses Horner's scheme, from the last payment to the first.
 */
function excessAt(
  monthlyRate: number,
  amountCents: number,
  paymentsCents: readonly number[],
  { months, days }: FirstPeriod,
): [excess: number, negativeSlope: number] {
  const discount = 1 / (1 + monthlyRate);
  let value = 0;
  let negativeSlope = 0;
  // Negative indexes are the months of the first period without a payment.
  for (let index = paymentsCents.length - 1; index > -months; index--) {
    value = discount * (value + (paymentsCents[index] ?? 0));
    negativeSlope = discount * (negativeSlope + value);
  }
  const oddCents = (amountCents * days) / 30;
  return [value - amountCents - oddCents * monthlyRate, negativeSlope + oddCents];
}

/**
 * Returns true if a first period may be disregarded as a minor irregularity and counted as one month: it may exceed a month by
 * 13 days if the term is less than a year, by 21 days below ten years, and by 32 days from ten years. A month counts as 30
 * days. The only payment of a loan has no regular period that the first one could be compared with.
 *
 * @param termLength - Number of monthly payments.
 * @see Regulation Z, 12 CFR 1026.17(c)(4).
 */
export function isMinorIrregularity({ months, days }: FirstPeriod, termLength: number): boolean {
  if (termLength === 1) return false;
  const maxDays = termLength < 12 ? 13 : termLength < 120 ? 21 : 32;
  return 30 * (months - 1) + days <= maxDays;
}

/** Tolerance for a stated annual percentage rate: 1/8 of a percentage point, as a fraction. */
export const REGULAR_TOLERANCE = 0.00125;

/** Allowance for floating-point errors, far below the precision of any rate. */
const ROUNDING = 1e-12;

/**
 * Returns true if a stated annual percentage rate is within the legal tolerance of a regular transaction. Monthly payments are
 * regular for every length of the first period.
 *
 * @param stated - Rate shown to the buyer, as a fraction: `0.0969`.
 * @param exact - Result of `monthlyApr`.
 * @see Regulation Z, 12 CFR 1026.22(a)(2) and (3).
 */
export function isAccurate(stated: number, exact: number): boolean {
  return Math.abs(stated - exact) <= REGULAR_TOLERANCE + ROUNDING;
}

/**
 * Formats a rate as a percentage for disclosure: `statedPercent(0.09685708)` returns `9.69`. Do not calculate with the result.
 *
 * Rounds half up, once. Regulation Z does not prescribe a number of decimals; two are well within its tolerance.
 *
 * @param rate - A fraction, 0 or more: `0.0969` is 9.69 %.
 */
export function statedPercent(rate: number): string {
  return (statedBps(rate) / 100).toFixed(2);
}

/** Rounds a rate to basis points: `statedBps(0.09685708)` returns `969`. */
export function statedBps(rate: number): number {
  // Corrects floating-point noise: 0.09995 times 10,000 is 999.4999999999999 and must count as 999.5.
  return Math.round(rate * 10_000 * (1 + ROUNDING));
}
