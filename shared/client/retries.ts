import type { Outcome } from './outcomes.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
const LONGEST_WAIT_UNDER_WAY_MS = 2_000;

/** Whether the same call, with the same key, may succeed a little later. */
export function isWorthRetrying(outcome: Outcome, status: number | undefined): boolean {
  if (outcome === 'decided') return false;
  if (outcome === 'under-way' || status === undefined || status === 408 || status === 429) return true;
  return status >= 500;
}

/**
 * How long to wait before the next attempt.
 *
 * @param attempts - Attempts so far, 1 or more.
 * @param chance   - From 0 to 1: takes up to half of the wait away, so that clients who failed together do not come
 *   back together.
 * @param outcome  - Of the attempt before.
 * @param askedMs  - What the service asked for; never less than that.
 */
export function retryWaitMs(attempts: number, chance: number, outcome: Outcome, askedMs = 0): number {
  // The earlier attempt will finish soon, so wait less.
  const limitMs = outcome === 'under-way' ? LONGEST_WAIT_UNDER_WAY_MS : LONGEST_WAIT_MS;
  const longestMs = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), limitMs);
  return Math.max(askedMs, Math.round(longestMs * (1 - chance / 2)));
}
