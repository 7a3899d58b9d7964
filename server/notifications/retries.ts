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

/** Counted from the first attempt, this is how far away the next one may be put by a receiver. */
const LONGEST_REQUEST_MS = 72 * HOUR_MS;

/** A receiver that asks to be left alone for a while. */
export interface Request {
  retryAfterMs: number;
  /** How long ago the first attempt was made. */
  sinceFirstMs: number;
}

/**
 * Returns the wait before the next attempt, or undefined if no attempt is left.
 *
 * @param attempts - Attempts so far, all failed; 1 or more.
 * @param chance   - From 0 to 1: spreads the wait by a tenth either way, so that a receiver that comes back is not
 *   called by everyone at once.
 * @param request  - Only ever makes a wait longer, and never further than three days from the first attempt.
 */
export function retryWaitMs(attempts: number, chance: number, request?: Request): number | undefined {
  const waitMs = retryWaitsMs[attempts - 1];
  if (waitMs === undefined) return undefined;
  const spreadMs = Math.round(waitMs * (0.9 + 0.2 * chance));
  if (!request) return spreadMs;
  return Math.max(spreadMs, Math.min(request.retryAfterMs, LONGEST_REQUEST_MS - request.sinceFirstMs));
}
