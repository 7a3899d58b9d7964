/** Chance that comes out the same in every run, so that a property that fails once fails again. */
export interface SeededRandom {
  /** From 0 up to, but never, 1. */
  fraction(): number;
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  /** Like `integer`, but small numbers come as often as large ones: as many cents as dollars as thousands. */
  magnitude(least: number, most: number): number;
}

/** @param seed - 32 bits; name the same one again to see the same examples again. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  // Mulberry32.
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    integer,
    magnitude: (least, most) => Math.min(most, Math.floor(Math.exp(Math.log(least) + fraction() * Math.log((most + 1) / least)))),
  };
}

/** `count` examples, made one after the other. */
export function samples<T>(count: number, seed: number, make: (random: SeededRandom) => T): T[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => make(random));
}
