import type { Loan } from '../../../shared/apr/loan.ts';
import type { SeededRandom } from '../../support/random.ts';
import { madeUpLoan, type MadeUpLoan } from './made-up-loans.ts';
import { oracleApr } from './oracle.ts';

/** How far two ways to the same rate were apart, in percentage points, and on which loan that was furthest. */
export interface Comparison {
  worst: { points: number; made: MadeUpLoan | undefined };
  highestApr: number;
  /** Time that `apr` itself took. */
  ms: number;
}

/** Has `apr` and the oracle find the rate of `count` loans. */
export function compare(random: SeededRandom, count: number, apr: (loan: Loan) => number): Comparison {
  const comparison: Comparison = { worst: { points: 0, made: undefined }, highestApr: 0, ms: 0 };
  for (let left = count; left > 0; left--) {
    const made = madeUpLoan(random);
    const startedAtMs = performance.now();
    const found = apr(made.loan);
    comparison.ms += performance.now() - startedAtMs;
    const exact = oracleApr(made.loan, made.unitPeriod, made.dueDay);
    const points = 100 * Math.abs(found - exact);
    // Written so that a rate that is no number counts as the worst.
    if (!(points <= comparison.worst.points)) comparison.worst = { points, made };
    comparison.highestApr = Math.max(comparison.highestApr, exact);
  }
  return comparison;
}
