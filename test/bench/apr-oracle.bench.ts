/**
 * Largest difference between the annual percentage rates that `shared/apr/` and the independent oracle in `test/shared/apr/`
 * calculate for a million random loans. `npm test` makes the same comparison with fewer loans.
 *
 * `node --import ./test/support/typescript.mjs test/bench/apr-oracle.bench.ts [loans] [seed]`
 */
import { reportFigure } from './figures.ts';
import { actuarialApr } from '../../shared/apr/actuarial.ts';
import { compare } from '../shared/apr/compare.ts';
import { seededRandom } from '../support/random.ts';

const LOANS = Number(process.argv[2] ?? 1_000_000);
const SEED = Number(process.argv[3] ?? 1);
const GOAL_POINTS = 1e-9;

const startedAtMs = performance.now();
const { worst, highestApr, ms } = compare(seededRandom(SEED), LOANS, actuarialApr);
const seconds = (performance.now() - startedAtMs) / 1_000;

console.log(`${LOANS} loans in ${seconds.toFixed(1)} s, Node ${process.versions.node}`);
console.log(`Rates are up to ${(100 * highestApr).toFixed(0)} %; one takes ${((1_000 * ms) / LOANS).toFixed(1)} us on average.`);
reportFigure({
  what: 'worst difference from the oracle',
  value: worst.points,
  unit: 'percentage points',
  atMost: GOAL_POINTS,
  details: JSON.stringify(worst.made),
});
