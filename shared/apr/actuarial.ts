import { measure, type MeasuredFlow } from './measure.ts';
import { smallestRate, type Worth } from './solve.ts';
import { checkLoan, type Loan } from './loan.ts';

/**
 * The annual percentage rate of a loan by the actuarial method: a nominal yearly rate, unrounded.
 *
 * Solves the general equation for `i`, the rate of a unit-period, and returns `i` times the unit-periods in a year:
 *
 *     sum of A / ((1 + e i) (1 + i)^q)  =  sum of P / ((1 + f i) (1 + i)^t)
 *
 * with q and t the full unit-periods from the beginning of the term to an advance A or a payment P, which compound, and e and f
 * the fraction of one at the front, which does not. Where several rates solve it, the smallest counts.
 *
 * @returns A fraction: `0.0969` means 9.69 %. Exactly 0 when as much is paid as was advanced. `statedPercent` words it.
 * @throws RangeError - an amount or a date is not what it should be, less is paid than was advanced, or payments come so early
 *   that at no rate do they repay the advances.
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
  const rate = smallestRate(measured, worth);
  return (rate * unitPeriodsPerYear.numerator) / unitPeriodsPerYear.denominator;
}

/**
 * The present value of the general equation: whole unit-periods compound, the fraction does not. Horner's scheme, last flow
 * first.
 *
 * Only additions, multiplications and divisions, which every engine rounds alike: `Math.pow` is each engine's own.
 */
function worth(flows: readonly MeasuredFlow[], rate: number): Worth {
  const discount = 1 / (1 + rate);
  let value = 0;
  let fall = 0;
  for (let index = flows.length - 1; index >= 0; index--) {
    const { whole, odd, divisor, cents } = flows[index]!;
    const fraction = odd / divisor;
    const oddDiscount = 1 / (1 + fraction * rate);
    value += cents * oddDiscount;
    fall += cents * oddDiscount * oddDiscount * fraction;

    const periods = whole - (flows[index - 1]?.whole ?? 0);
    const factor = power(discount, periods);
    fall = factor * (fall + periods * discount * value);
    value *= factor;
  }
  return { value, fall };
}

/** `base` to a whole power, 0 or more, by repeated squaring. */
function power(base: number, exponent: number): number {
  if (exponent === 1) return base;
  let result = 1;
  for (let left = exponent, square = base; left > 0; left = Math.floor(left / 2), square *= square) {
    if (left % 2 === 1) result *= square;
  }
  return result;
}
