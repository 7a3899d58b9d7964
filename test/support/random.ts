/** Random numbers that are the same in every run, so that a failure can be reproduced. */
export interface SeededRandom {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  /** An integer from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number;
  /** Like `integer`, but distributed evenly over the orders of magnitude. */
  magnitude(min: number, max: number): number;
}

/** @param seed - 32 bits. The same seed returns the same numbers. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  // Mulberry32.
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    integer,
    magnitude: (min, max) => Math.min(max, Math.floor(Math.exp(Math.log(min) + fraction() * Math.log((max + 1) / min)))),
  };
}

/** Returns `count` examples. */
export function samples<T>(count: number, seed: number, make: (random: SeededRandom) => T): T[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => make(random));
}
