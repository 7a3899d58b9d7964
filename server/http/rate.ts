const MINUTE_MS = 60_000;

/**
 * Takes one from a bucket that holds as many as `perMinute` and is filled evenly: that many at once, then one at a time.
 *
 * The whole state of a bucket is the moment at which it will be full again.
 *
 * @param fullAtMs - That moment; undefined for a bucket that nobody has taken from.
 * @param nowMs    - On the same clock, which must not go back.
 * @returns The moment as it is then, and for how long to wait before there is one to take: 0 when there was.
 */
export function takeOne(
  fullAtMs: number | undefined,
  perMinute: number,
  nowMs: number,
): { fullAtMs: number | undefined; waitMs: number } {
  const after = Math.max(fullAtMs ?? nowMs, nowMs) + MINUTE_MS / perMinute;
  const waitMs = after - nowMs - MINUTE_MS;
  // Minutes divide into fractions: what is less than a millisecond early is on time.
  return waitMs < 1 ? { fullAtMs: after, waitMs: 0 } : { fullAtMs, waitMs };
}

/** A wider network has this many times the allowance of the next narrower one. */
export const WIDER_ALLOWANCE = 4;

/** Buckets by the name of who takes from them. */
export interface Limiter {
  /**
   * Takes one from every bucket that is named, or from none of them.
   *
   * @param names - A client, and the networks it is in, each wider than the one before and with four times its allowance.
   * @returns Milliseconds to wait before there is one to take from each, 0 when there was.
   */
  take(...names: readonly string[]): number;
  /** How many buckets are remembered. */
  readonly size: number;
}

/**
 * Buckets of at most `perMinute` a minute for each name.
 *
 * Those that nobody has taken from for a minute are full, and forgotten. When there are too many, the older half is forgotten as
 * well: whoever has so many names is not held by a limit for each, and the memory they can take is.
 *
 * @param perMinute - 0: no limit.
 * @param nowMs     - A clock that does not go back.
 * @param mostNames - How many are remembered whatever happens; there are never more than twice as many.
 */
export function limiter(perMinute: number, nowMs: () => number, mostNames = 20_000): Limiter {
  let recent = new Map<string, number>();
  let older = new Map<string, number>();
  let turnedAtMs = nowMs();

  return {
    get size() {
      return recent.size + older.size;
    },
    take: (...names) => {
      if (perMinute === 0) return 0;
      const now = nowMs();
      if (now - turnedAtMs >= MINUTE_MS || recent.size >= mostNames) {
        // Whatever was left where it is for a minute is full by then.
        older = now - turnedAtMs >= 2 * MINUTE_MS ? new Map() : recent;
        recent = new Map();
        turnedAtMs = now;
      }
      const before = names.map((name) => recent.get(name) ?? older.get(name));
      const taken = before.map((fullAtMs, level) => takeOne(fullAtMs, perMinute * WIDER_ALLOWANCE ** level, now));
      const waitMs = Math.max(...taken.map((one) => one.waitMs));
      for (const [level, name] of names.entries()) {
        const fullAtMs = waitMs === 0 ? taken[level]!.fullAtMs : before[level];
        if (fullAtMs !== undefined) recent.set(name, fullAtMs);
      }
      return waitMs;
    },
  };
}
