/**
 * The duration of randomized tests, and the number of cases of long tables.
 *
 * `npm test` runs a few examples from a fixed seed. `npm run test:nightly` runs the same tests with a seed and a time budget from the
 * environment, NIGHTLY_SEED and NIGHTLY_MINUTES. A failure prints both values that repeat it: FC_SEED and FC_PATH.
 */
import type { Parameters } from 'fast-check';

const { NIGHTLY_SEED, NIGHTLY_MINUTES, FC_SEED, FC_PATH } = process.env;

/** True if a time budget was given. */
export const isNightly = NIGHTLY_MINUTES !== undefined;

/** True if examples are repeated, which need not include one of each kind. */
export const isRepetition = FC_SEED !== undefined;

/** The first seed of tests that derive their examples from seeds without fast-check. */
export const firstSeed = isNightly ? Number(NIGHTLY_SEED) : 1_000;

/** The time budget of a randomized test; 0 in `npm test`. */
export const budgetMs = Number(NIGHTLY_MINUTES ?? 0) * 60_000;

/** The timeout of a randomized test, in milliseconds. Shrinking a failure may take as long as finding it. */
export const campaignTimeoutMs = 2 * budgetMs + 120_000;

/**
 * Returns the parameters of a fast-check run.
 *
 * @param numRuns - Number of examples that `npm test` runs.
 * @param lane - Distinguishes the seeds of runs that take place at the same time.
 */
export function campaign<Ts = unknown>(numRuns: number, lane = 0): Parameters<Ts> {
  if (FC_SEED !== undefined) return { seed: Number(FC_SEED), numRuns, ...(FC_PATH !== undefined && { path: FC_PATH }) };
  if (!isNightly) return { seed: 20_261_121 + lane, numRuns };
  const unlimited = 1_000_000_000;
  const budget = { interruptAfterTimeLimit: budgetMs, markInterruptAsFailure: false };
  return { seed: Number(NIGHTLY_SEED) + lane, numRuns: unlimited, ...budget };
}

/**
 * Returns the cases that a test runs if each of them needs a browser page: all cases in `npm run test:nightly`, and those that
 * `isTypical` selects in `npm test`.
 */
export function casesOf<T>(cases: readonly T[], isTypical: (candidate: T) => boolean): T[] {
  return cases.filter((candidate) => isNightly || isTypical(candidate));
}

/** The command that runs a failed example again. */
export const rerunCommand = (seed: number, path: string | null, file: string): string =>
  `FC_SEED=${seed} FC_PATH=${path ?? ''} npx vitest run -c test/vitest.config.ts ${file}`;
