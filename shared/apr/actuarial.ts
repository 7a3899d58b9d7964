import { measure, type MeasuredFlow } from './measure.ts';
import { smallestRate, type PresentValue } from './solve.ts';
import { checkLoan, type Loan } from './loan.ts';

/**
 * Returns the annual percentage rate of a loan by the actuarial method: a nominal annual rate, unrounded.
 *
 * Solves the general equation for `i`, the rate per unit-period, and returns `i` times the number of unit-periods in a year:
 *
 *     sum of A / ((1 + e i) (1 + i)^q)  =  sum of P / ((1 + f i) (1 + i)^t)
 *
 * q and t are the full unit-periods from the beginning of the term to an advance A or a payment P. e and f are the fractions of
 * a unit-period at the beginning, which do not compound. If several rates solve the equation, returns the smallest.
 *
 * @returns A fraction: `0.0969` is 9.69 %. Exactly 0 if the payments equal the advances. Use `statedPercent` to format it.
 * @throws RangeError if an amount or a date is invalid, the payments are less than the advances, or the payments are so early
 *   that no rate solves the equation.
 * @see Regulation Z, 12 CFR 1026.22(a)(1) and Appendix J, (b)(8).
 *
 * @example
 * // Appendix J, (c)(5)(i): 11.45 %
 * actuarialApr({
 *   advances: [{ date: '1978-01-03', cents: 100_000 }],
 *   payments: [{ date: '1978-09-15', cents: 108_000 }],
 * })
 */
export function actuarialApr(loan: Loan): number {
  const { flows, financeChargeCents } = checkLoan(loan);
  if (financeChargeCents === 0) return 0;

  const { flows: measured, unitPeriodsPerYear } = measure(flows, loan.unitPeriod);
  const rate = smallestRate(measured, presentValue);
  return (rate * unitPeriodsPerYear.numerator) / unitPeriodsPerYear.denominator;
}

/**
 * Computes the present value by Horner's scheme, from the last flow to the first.
 *
 * Uses only addition, multiplication and division, so that results are identical on every JavaScript engine. The precision of
 * `Math.pow` is implementation-defined.
 */
function presentValue(flows: readonly MeasuredFlow[], rate: number): PresentValue {
  const discount = 1 / (1 + rate);
  let value = 0;
  let negativeSlope = 0;
  for (let index = flows.length - 1; index >= 0; index--) {
    const { whole, odd, divisor, cents } = flows[index]!;
    const fraction = odd / divisor;
    const oddDiscount = 1 / (1 + fraction * rate);
    value += cents * oddDiscount;
    negativeSlope += cents * oddDiscount * oddDiscount * fraction;

    const periods = whole - (flows[index - 1]?.whole ?? 0);
    const factor = power(discount, periods);
    negativeSlope = factor * (negativeSlope + periods * discount * value);
    value *= factor;
  }
  return { value, negativeSlope };
}

/** Raises `base` to an integer power of 0 or more, by repeated squaring. */
function power(base: number, exponent: number): number {
  if (exponent === 1) return base;
  let result = 1;
  for (let remaining = exponent, square = base; remaining > 0; remaining = Math.floor(remaining / 2), square *= square) {
    if (remaining % 2 === 1) result *= square;
  }
  return result;
}
