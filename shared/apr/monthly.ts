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
  // The present value falls as the rate rises, so there is one root, and halving finds each of its digits.
  let low = 0;
  let high = 1;
  while (presentValue(paymentsCents, high, first) > amountFinancedCents) high *= 2;
  for (let middle = high / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (presentValue(paymentsCents, middle, first) > amountFinancedCents) low = middle;
    else high = middle;
  }
  return 12 * low;
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
  return presentValue(paymentsCents, apr / 12, first) > amountFinancedCents * (1 + DOUBTFUL);
}

/** Value today of the payments. Horner's scheme, last payment first. */
function presentValue(paymentsCents: readonly number[], monthlyRate: number, { months, days }: FirstPeriod): number {
  let value = 0;
  // Below 0 are the months of the first period in which nothing is paid.
  for (let index = paymentsCents.length - 1; index > -months; index--) {
    value = (value + (paymentsCents[index] ?? 0)) / (1 + monthlyRate);
  }
  return value / (1 + (days / 30) * monthlyRate);
}
