/**
 * The annual percentage rate of a loan by the actuarial method, for one advance repaid at the end of each month.
 *
 * Solves `amountFinanced = sum of payment_j / (1 + i)^j` for the monthly rate `i` and returns `12 i`, unrounded.
 *
 * @param amountFinancedCents - What the buyer receives or has paid on their behalf, in cents.
 * @param paymentsCents       - The payments in order, one a month, the first a month after the advance.
 * @returns A fraction: `0.0999` means 9.99 %.
 * @throws RangeError - the payments do not repay the amount.
 * @see Regulation Z, 12 CFR 1026.22 and its Appendix J, general equation (b)(8), with the month as unit-period.
 */
export function monthlyApr(amountFinancedCents: number, paymentsCents: readonly number[]): number {
  const paidCents = paymentsCents.reduce((sum, payment) => sum + payment, 0);
  if (!(amountFinancedCents > 0) || paidCents < amountFinancedCents) {
    throw new RangeError(`Payments of ${paidCents} cents do not repay ${amountFinancedCents} cents`);
  }
  if (paidCents === amountFinancedCents) return 0;

  // The present value falls as the rate rises, so there is one root: Newton's steps, kept inside a bracket by bisection.
  let low = 0;
  let high = 1;
  while (presentValue(paymentsCents, high).value > amountFinancedCents) high *= 2;
  let rate = (2 * (paidCents - amountFinancedCents)) / (amountFinancedCents * (paymentsCents.length + 1));

  for (let step = 0; step < 100; step++) {
    const { value, slope } = presentValue(paymentsCents, rate);
    const excess = value - amountFinancedCents;
    if (excess > 0) low = rate;
    else high = rate;
    const newton = rate - excess / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - rate) <= 1e-15 * (1 + rate)) return 12 * next;
    rate = next;
  }
  return 12 * rate;
}

/** Value today of payments at the end of each month, and its slope by the monthly rate. Horner's scheme, last payment first. */
function presentValue(paymentsCents: readonly number[], monthlyRate: number): { value: number; slope: number } {
  const discount = 1 / (1 + monthlyRate);
  let value = 0;
  let slope = 0;
  for (let index = paymentsCents.length - 1; index >= 0; index--) {
    const owed = paymentsCents[index]! + value;
    slope = discount * (slope - discount * owed);
    value = discount * owed;
  }
  return { value, slope };
}
