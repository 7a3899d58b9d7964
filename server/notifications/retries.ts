const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long to wait after the first, second, … failed attempt: ten attempts over a little more than three days. */
export const retryWaitsMs: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * The wait before the next attempt, or undefined when there is none left.
 *
 * @param attempts - Attempts so far, all failed; 1 or more.
 * @param chance   - From 0 to 1: spreads the wait by a tenth either way, so that a receiver that comes back is not
 *   called by everyone at once.
 */
export function retryWaitMs(attempts: number, chance: number): number | undefined {
  const waitMs = retryWaitsMs[attempts - 1];
  return waitMs === undefined ? undefined : Math.round(waitMs * (0.9 + 0.2 * chance));
}
