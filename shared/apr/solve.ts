/** What flows are worth at the beginning of the term at some rate, and how fast that falls as the rate rises: both at least 0. */
export interface Worth {
  value: number;
  fall: number;
}

/**
 * The present value of flows of which every `cents` is above 0. As the rate rises from 0 it must fall ever more slowly, as all
 * ways of discounting have it.
 */
export type PresentValue<Flow> = (flows: readonly Flow[], rate: number) => Worth;

/** The two sides of an equation of present values. */
interface Sides {
  advances(rate: number): Worth;
  payments(rate: number): Worth;
}

/** Where there may be no rate at all, none is sought above this one. */
const HIGHEST_RATE = 1e12;

/** An interval this narrow, relative to 1 + rate, is one rate: below it rounding decides which side is worth more. */
const NARROWEST = 4 * Number.EPSILON;

/**
 * The smallest rate above 0 at which the advances are worth as much as the payments.
 *
 * Newton's steps, kept inside a bracket. With every advance before every payment there is one such rate and no other, and any
 * bracket will do. Otherwise there may be several, or none: from 0 up, an interval is then passed over only where it provably
 * holds none, and solved only where it provably holds no second one.
 *
 * @param flows - In order of time; `cents` above 0 for an advance, below 0 for a payment. More is paid than advanced.
 * @returns A fraction per period, to the precision of a double.
 * @throws RangeError - at no rate are they worth the same.
 */
export function smallestRate<Flow extends { cents: number }>(flows: readonly Flow[], worth: PresentValue<Flow>): number {
  const advanced = flows.filter(({ cents }) => cents > 0);
  const paid = flows.filter(({ cents }) => cents < 0).map((flow) => ({ ...flow, cents: -flow.cents }));
  const sides = { advances: (rate: number) => worth(advanced, rate), payments: (rate: number) => worth(paid, rate) };
  const isInOrder = advanced.length > 0 && flows.slice(0, advanced.length).every(({ cents }) => cents > 0);

  let low = 0;
  let high = firstGuess(sides);
  while (high < (isInOrder ? Infinity : HIGHEST_RATE)) {
    const rate = isInOrder ? onlyWithin(sides, low, high) : firstWithin(sides, low, high);
    if (rate !== undefined) return rate;
    [low, high] = [high, 2 * high];
  }
  throw new RangeError('payments: expected dates on which they repay the advances at some rate, but received none');
}

/** Where the tangent at 0 says the rate is: right for small rates, and too small for large ones of a loan with one advance. */
function firstGuess({ advances, payments }: Sides): number {
  const [given, paid] = [advances(0), payments(0)];
  const guess = (paid.value - given.value) / (paid.fall - given.fall);
  return guess > NARROWEST && guess < HIGHEST_RATE ? guess : NARROWEST;
}

/** The rate up to `high`, where there is one in all and it is above `low`. */
function onlyWithin(sides: Sides, low: number, high: number): number | undefined {
  return sides.advances(high).value >= sides.payments(high).value ? newton(sides, low, high) : undefined;
}

/** The smallest rate from `low`, where the payments are worth more, up to `high`. */
function firstWithin(sides: Sides, low: number, high: number): number | undefined {
  const [givenLow, paidHigh] = [sides.advances(low), sides.payments(high)];
  // Between them the advances are nowhere worth more than at `low`, and the payments nowhere less than at `high`.
  if (givenLow.value < paidHigh.value) return undefined;
  // The payments fall faster throughout, so the advances overtake them once or not at all.
  if (paidHigh.fall > givenLow.fall) return onlyWithin(sides, low, high);
  if (high - low <= NARROWEST * (1 + low)) return low;
  const middle = (low + high) / 2;
  return firstWithin(sides, low, middle) ?? firstWithin(sides, middle, high);
}

/** The rate between `low`, where the payments are worth more, and `high`, where the advances are. */
function newton(sides: Sides, low: number, high: number): number {
  let rate = (low + high) / 2;
  // Halving alone would have ended long before; the limit is for roundings that go round in a circle.
  for (let step = 0; step < 200; step++) {
    const [given, paid] = [sides.advances(rate), sides.payments(rate)];
    const ahead = given.value - paid.value;
    if (ahead === 0) return rate;
    if (ahead < 0) low = rate;
    else high = rate;
    const tangent = rate - ahead / (paid.fall - given.fall);
    const next = tangent > low && tangent < high ? tangent : (low + high) / 2;
    if (Math.abs(next - rate) <= NARROWEST * (1 + rate)) return next;
    rate = next;
  }
  return rate;
}
