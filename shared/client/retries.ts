const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;

/** What came back of an attempt, as far as it decides whether to try again. */
export interface Attempted {
  /** HTTP status; undefined when no whole answer came. */
  status: number | undefined;
  /** Whether the answer was the merchant API's error body, and with which code. */
  refused: boolean;
  code: string | undefined;
}

/**
 * Whether the same call may succeed a little later.
 *
 * A 500 with the merchant API's error body is a decision that does not change by asking again, save a lost race, of which
 * nothing was written; without that body, it is the fault of something between us and the service.
 */
export function isWorthRetrying({ status, refused, code }: Attempted): boolean {
  if (status === undefined || status === 408 || status === 429 || status === 503) return true;
  if (code === 'idempotency-key-in-use' || code === 'changed-meanwhile') return true;
  return status >= 500 && !refused;
}

/**
 * How long to wait before the next attempt.
 *
 * @param attempts - Attempts so far, 1 or more.
 * @param chance   - From 0 to 1: takes up to half of the wait away, so that clients who failed together do not come
 *   back together.
 * @param askedMs  - What the service asked for; never less than that.
 */
export function retryWaitMs(attempts: number, chance: number, askedMs = 0): number {
  const longestMs = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);
  return Math.max(askedMs, Math.round(longestMs * (1 - chance / 2)));
}

/**
 * What a Retry-After header asks for, in milliseconds from now; undefined when it asks for nothing that can be read.
 *
 * @see RFC 9110, section 10.2.3: seconds, or a date.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has letters; Date.parse would take a bare number for a year.
  const atMs = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
