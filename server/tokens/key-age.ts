/** An outside issuer is asked again after this, so that a key the issuer has taken back is believed no longer. */
const FRESH_MS = 600_000;

/** One that does not answer is bridged for a day by the keys it gave last. */
const USABLE_MS = 86_400_000;

/** Tokens with keys that do not exist must not make us ask for each. */
const COOL_DOWN_MS = 30_000;

/** With nothing to bridge with, callers are told to come back after five seconds, and then it is asked again. */
const RETRY_MS = 5_000;

/** When an issuer last gave its keys, and when it last did not, since then. */
export interface KeyAge {
  fetchedAtMs: number | undefined;
  failedAtMs: number | undefined;
}

/** Whether the keys can be gone by. */
export function isUsable({ fetchedAtMs }: KeyAge, nowMs: number): boolean {
  return isWithin(USABLE_MS, fetchedAtMs, nowMs);
}

/** Whether the issuer is to be asked before its keys are gone by. */
export function isDue(age: KeyAge, nowMs: number): boolean {
  const patienceMs = isUsable(age, nowMs) ? COOL_DOWN_MS : RETRY_MS;
  return !isWithin(FRESH_MS, age.fetchedAtMs, nowMs) && !isWithin(patienceMs, age.failedAtMs, nowMs);
}

/** Whether it is to be asked for a key that is not among them. */
export function isDueForUnknownKey({ fetchedAtMs, failedAtMs }: KeyAge, nowMs: number): boolean {
  return !isWithin(COOL_DOWN_MS, fetchedAtMs, nowMs) && !isWithin(COOL_DOWN_MS, failedAtMs, nowMs);
}

/** Whether `sinceMs` is less than `durationMs` ago. A clock that was set back makes it so long ago that nothing is gone by. */
export function isWithin(durationMs: number, sinceMs: number | undefined, nowMs: number): boolean {
  return sinceMs !== undefined && nowMs >= sinceMs && nowMs < sinceMs + durationMs;
}
