/** How long after the loan is made its first payment is due. The others follow a month apart. */
export interface FirstPeriod {
  /** Whole months, 1 or more. */
  months: number;
  /** Odd days before them, 0 to 27: 28 are a month, in some Februaries. */
  days: number;
}

/** The first payment a month after the loan, like all others after the one before. */
export const REGULAR: FirstPeriod = { months: 1, days: 0 };

/**
 * The annual percentage rate of a loan by the actuarial method, for one advance repaid by monthly payments.
 *
 * Solves `amountFinanced = sum of payment_j / ((1 + f i) (1 + i)^(m - 1 + j))` for the monthly rate `i` and returns `12 i`,
 * unrounded; m is the months of the first period and f its days in parts of thirty.
 *
 * @param amountFinancedCents - What the buyer receives or has paid on their behalf, in cents.
 * @param paymentsCents       - The payments in order, one a month.
 * @returns A fraction: `0.0999` means 9.99 %.
 * @throws RangeError - the payments do not repay the amount.
 * @see Regulation Z, 12 CFR 1026.22 and its Appendix J, general equation (b)(8), with the month as unit-period.
 */
export function monthlyApr(amountFinancedCents: number, paymentsCents: readonly number[], first: FirstPeriod = REGULAR): number {
  const paidCents = paymentsCents.reduce((sum, payment) => sum + payment, 0);
  if (!(amountFinancedCents > 0) || paidCents < amountFinancedCents) {
    throw new RangeError(`Payments of ${paidCents} cents do not repay ${amountFinancedCents} cents`);
  }
  return solveMonthlyApr(amountFinancedCents, paymentsCents, first);
}

/** `monthlyApr` of payments that are known to repay the amount. */
export function solveMonthlyApr(amountFinancedCents: number, paymentsCents: readonly number[], first: FirstPeriod): number {
  let rate = 0;
  let step: number;
  do {
    // The excess is convex and falls as the rate rises: Newton's steps from 0 rise to its only root and never pass it.
    const [excess, fall] = excessAt(rate, amountFinancedCents, paymentsCents, first);
    step = Math.max(0, excess / fall);
    rate += step;
    // Each step squares the error: after one this short, rounding is all that is left.
  } while (step > 1e-9 * (1 + rate));
  return 12 * rate;
}

/** What the last digits of a present value are: rounding, on neither side of a rate. */
const DOUBTFUL = 1e-12;

/**
 * Whether the annual percentage rate of a loan is above `apr`, which is a fraction. A rate that is the same is not.
 *
 * Tells without solving: above the rate sought, the payments are worth less than was lent.
 */
export function costsMoreThan(
  apr: number,
  amountFinancedCents: number,
  paymentsCents: readonly number[],
  first: FirstPeriod = REGULAR,
): boolean {
  return excessAt(apr / 12, amountFinancedCents * (1 + DOUBTFUL), paymentsCents, first)[0] > 0;
}

/**
 * By how much the payments are worth more than the amount, when the odd days of the first period begin to count; and how fast that
 * falls as the rate rises. Horner's scheme, last payment first.
 */
function excessAt(
  monthlyRate: number,
  amountCents: number,
  paymentsCents: readonly number[],
  { months, days }: FirstPeriod,
): [excess: number, fall: number] {
  const discount = 1 / (1 + monthlyRate);
  let value = 0;
  let fall = 0;
  // Below 0 are the months of the first period in which nothing is paid.
  for (let index = paymentsCents.length - 1; index > -months; index--) {
    value = discount * (value + (paymentsCents[index] ?? 0));
    fall = discount * (fall + value);
  }
  const oddCents = (amountCents * days) / 30;
  return [value - amountCents - oddCents * monthlyRate, fall + oddCents];
}
