import { actuarialApr } from './actuarial.ts';
import { measure, type MeasuredFlow } from './measure.ts';
import { checkLoan, requireCents, type Loan } from './loan.ts';

/** Cap of the military annual percentage rate (MAPR), as a fraction: 36 %. 10 USC 987(b), 32 CFR 232.4(b). */
export const MAPR_CAP = 0.36;

/** Rates this close to the cap are compared in exact arithmetic, because floating-point precision is not sufficient. */
const EXACT_WITHIN = 1e-9;

/**
 * Returns the military annual percentage rate (MAPR) of a loan to a covered borrower: `actuarialApr` including every charge
 * that the MAPR counts.
 *
 * The MAPR counts more than the APR: application and participation fees, credit insurance, debt cancellation and ancillary
 * products, even if they are part of the amount financed.
 *
 * @param chargesCents - Charges that only the MAPR counts, and that are included in the advances or paid when the loan is made: 0 or
 *   more, and less than the first advance. They reduce the amount the buyer receives. Add a charge that is due later to the payments
 *   instead.
 * @returns A fraction, unrounded. Equals the APR if there are no such charges.
 * @throws RangeError if the charges or the loan are invalid, see `actuarialApr`.
 * @see 32 CFR 232.4(c), which refers to Regulation Z, 12 CFR 1026.22, for closed-end credit.
 */
export function mapr(loan: Loan, chargesCents: number): number {
  return actuarialApr(withCharges(loan, chargesCents));
}

/**
 * Returns true if a loan exceeds the MAPR cap of 36 %. There is no tolerance: exactly 36 % does not exceed it, and any higher
 * rate does.
 *
 * If the rate is very close to the cap, the comparison uses exact integer arithmetic.
 *
 * @param chargesCents - As for `mapr`.
 */
export function exceedsMaprCap(loan: Loan, chargesCents: number): boolean {
  const charged = withCharges(loan, chargesCents);
  const rate = actuarialApr(charged);
  if (Math.abs(rate - MAPR_CAP) > EXACT_WITHIN) return rate > MAPR_CAP;

  const { flows, unitPeriodsPerYear } = measure(checkLoan(charged).flows, charged.unitPeriod);
  // At a rate below the loan's own, the payments have a higher present value than the advances. If they do at the cap, the loan's rate
  // is above the cap.
  const { numerator, denominator } = unitPeriodsPerYear;
  return hasNegativePresentValue(flows, BigInt(36 * denominator), BigInt(100 * numerator));
}

/** Returns the loan with the charges added as a payment on the day of the first advance, which nets them from that advance. */
function withCharges(loan: Loan, chargesCents: number): Loan {
  requireCents('chargesCents', chargesCents, 0);
  const [date] = loan.advances.map((advance) => advance.date).toSorted();
  if (chargesCents === 0 || date === undefined) return loan;
  const advanced = loan.advances.reduce((sum, advance) => (advance.date === date ? sum + advance.cents : sum), 0);
  if (chargesCents >= advanced) {
    throw new RangeError(`chargesCents: expected less than the first advance, but received ${chargesCents} of ${advanced} cents`);
  }
  return { ...loan, payments: [...loan.payments, { date, cents: chargesCents }] };
}

/** Returns true if the present value of the flows is negative at the rate `rate / base` per unit-period. Exact. */
function hasNegativePresentValue(flows: readonly MeasuredFlow[], rate: bigint, base: bigint): boolean {
  // Flows with the same fraction of a unit-period share the discount factor divisor / (divisor + odd * rate).
  const byFraction = new Map<string, { odd: bigint; divisor: bigint; flows: MeasuredFlow[] }>();
  for (const flow of flows) {
    const key = `${flow.odd}/${flow.divisor}`;
    const group = byFraction.get(key) ?? { odd: BigInt(flow.odd), divisor: BigInt(flow.divisor), flows: [] };
    group.flows.push(flow);
    byFraction.set(key, group);
  }

  // Values are compounded to the last full unit-period, so that all flows share the same power of `base` as denominator.
  const last = Math.max(...flows.map(({ whole }) => whole));
  let numerator = 0n;
  let denominator = 1n;
  for (const { odd, divisor, flows: group } of byFraction.values()) {
    const value = group.reduce(
      (sum, { cents, whole }) => sum + BigInt(cents) * (base + rate) ** BigInt(last - whole) * base ** BigInt(whole),
      0n,
    );
    const oddNumerator = divisor * base;
    const oddDenominator = divisor * base + odd * rate;
    numerator = numerator * oddDenominator + value * oddNumerator * denominator;
    denominator *= oddDenominator;
  }
  return numerator < 0n;
}
