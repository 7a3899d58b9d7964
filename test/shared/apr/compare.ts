import type { Loan } from '../../../shared/apr/loan.ts';
import type { SeededRandom } from '../../support/random.ts';
import { randomLoan, type RandomLoan } from './random-loans.ts';
import { oracleApr } from './oracle.ts';

/** Largest difference between two calculations of the same rate, in percentage points, and the loan where it occurred. */
export interface Comparison {
  worst: { points: number; made: RandomLoan | undefined };
  highestApr: number;
  /** Time spent in `apr`. */
  ms: number;
}

/** Compares the results of `apr` and the oracle for `count` random loans. */
export function compare(random: SeededRandom, count: number, apr: (loan: Loan) => number): Comparison {
  const comparison: Comparison = { worst: { points: 0, made: undefined }, highestApr: 0, ms: 0 };
  for (let left = count; left > 0; left--) {
    const made = randomLoan(random);
    const startMs = performance.now();
    const found = apr(made.loan);
    comparison.ms += performance.now() - startMs;
    const exact = oracleApr(made.loan, made.unitPeriod, made.dueDay);
    const points = 100 * Math.abs(found - exact);
    // Negated so that NaN counts as the largest difference.
    if (!(points <= comparison.worst.points)) comparison.worst = { points, made };
    comparison.highestApr = Math.max(comparison.highestApr, exact);
  }
  return comparison;
}
