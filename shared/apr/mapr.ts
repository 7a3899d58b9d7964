import { actuarialApr } from './actuarial.ts';
import { measure, type MeasuredFlow } from './measure.ts';
import { checkLoan, requireCents, type Loan } from './loan.ts';

/** The highest military annual percentage rate, a fraction: 36 %. 10 USC 987(b), 32 CFR 232.4(b). */
export const MAPR_CAP = 0.36;

/** Within this of the cap, doubles do not say on which side a rate is. */
const DOUBTFUL = 1e-9;

/**
 * The military annual percentage rate of a loan to a covered borrower: `actuarialApr` with every charge that this rate counts.
 *
 * It counts more than the annual percentage rate does: application and participation fees, credit insurance, debt
 * cancellation and ancillary products, which may all be part of the amount financed.
 *
 * @param chargesCents - Those of them that the loan's advances contain or that the buyer pays when the loan is made: 0 or
 *   more, less than the first advance. They leave the buyer with that much less of it. A charge that falls due later belongs
 *   to the payments.
 * @returns A fraction, unrounded. The annual percentage rate itself when there are no such charges.
 * @throws RangeError - the charges or the loan are not what they should be, see `actuarialApr`.
 * @see 32 CFR 232.4(c): for closed-end credit as Regulation Z, 12 CFR 1026.22, has it.
 */
export function mapr(loan: Loan, chargesCents: number): number {
  return actuarialApr(payingCharges(loan, chargesCents));
}

/**
 * Whether a loan costs a covered borrower more than 36 %. There is no tolerance: 36 % exactly does not exceed it, and anything
 * above does.
 *
 * Decided in whole numbers where the rate is so near the cap that its last digits are rounding.
 *
 * @param chargesCents - As for `mapr`.
 */
export function exceedsMaprCap(loan: Loan, chargesCents: number): boolean {
  const charged = payingCharges(loan, chargesCents);
  const rate = actuarialApr(charged);
  if (Math.abs(rate - MAPR_CAP) > DOUBTFUL) return rate > MAPR_CAP;

  const { flows, unitPeriodsPerYear } = measure(checkLoan(charged).flows, charged.unitPeriod);
  // Up to the rate sought the payments are worth more than the advances. If they still are at the cap, it lies above.
  const { numerator, denominator } = unitPeriodsPerYear;
  return isWorthLessThanNothing(flows, BigInt(36 * denominator), BigInt(100 * numerator));
}

/** The same loan with the charges paid on the day of the first advance, which is smaller by them: a day's amounts are netted. */
function payingCharges(loan: Loan, chargesCents: number): Loan {
  requireCents('chargesCents', chargesCents, 0);
  const [date] = loan.advances.map((advance) => advance.date).toSorted();
  if (chargesCents === 0 || date === undefined) return loan;
  const advanced = loan.advances.reduce((sum, advance) => (advance.date === date ? sum + advance.cents : sum), 0);
  if (chargesCents >= advanced) {
    throw new RangeError(`chargesCents: expected less than the first advance, but received ${chargesCents} of ${advanced} cents`);
  }
  return { ...loan, payments: [...loan.payments, { date, cents: chargesCents }] };
}

/** Whether flows are together worth less than 0 at the rate `above / below` of a unit-period. Exact. */
function isWorthLessThanNothing(flows: readonly MeasuredFlow[], above: bigint, below: bigint): boolean {
  // Flows with the same fraction of a period at their front share its discount: divisor / (divisor + odd * rate).
  const byFraction = new Map<string, { odd: bigint; divisor: bigint; flows: MeasuredFlow[] }>();
  for (const flow of flows) {
    const key = `${flow.odd}/${flow.divisor}`;
    const group = byFraction.get(key) ?? { odd: BigInt(flow.odd), divisor: BigInt(flow.divisor), flows: [] };
    group.flows.push(flow);
    byFraction.set(key, group);
  }

  // Everything as at the last whole period, where 1 + rate has a power of `below` under it, which all flows share.
  const last = Math.max(...flows.map(({ whole }) => whole));
  let numerator = 0n;
  let denominator = 1n;
  for (const { odd, divisor, flows: group } of byFraction.values()) {
    const worth = group.reduce(
      (sum, { cents, whole }) => sum + BigInt(cents) * (below + above) ** BigInt(last - whole) * below ** BigInt(whole),
      0n,
    );
    const oddNumerator = divisor * below;
    const oddDenominator = divisor * below + odd * above;
    numerator = numerator * oddDenominator + worth * oddNumerator * denominator;
    denominator *= oddDenominator;
  }
  return numerator < 0n;
}
