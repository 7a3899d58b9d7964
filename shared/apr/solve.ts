/** Present value of flows at some rate, and its negative derivative with respect to the rate. Both are at least 0. */
export interface PresentValue {
  value: number;
  negativeSlope: number;
}

/**
 * Computes the present value of flows with positive `cents`. It must be a decreasing and convex function of the rate, as in
 * every method of discounting.
 */
export type PresentValueFunction<Flow> = (flows: readonly Flow[], rate: number) => PresentValue;

/** The two sides of the equation of present values. */
interface Sides {
  advances(rate: number): PresentValue;
  payments(rate: number): PresentValue;
}

/** Upper bound of the search if the equation may have no solution. */
const MAX_RATE = 1e12;

/** Below this width, relative to 1 + rate, rounding errors decide which side is larger. */
const MIN_WIDTH = 4 * Number.EPSILON;

/**
 * Returns the smallest positive rate at which the advances and the payments have the same present value.
 *
 * Uses Newton's method inside a bracket. If every advance precedes every payment, there is exactly one solution and any bracket
 * works. Otherwise there may be several or none: starting at 0, an interval is skipped only if it provably contains no
 * solution, and solved only if it provably contains a single one.
 *
 * @param flows - Sorted by time. `cents` is positive for an advance and negative for a payment. The payments exceed the
 *   advances.
 * @returns A fraction per period, with the precision of a double.
 * @throws RangeError if no rate solves the equation.
 */
export function smallestRate<Flow extends { cents: number }>(
  flows: readonly Flow[],
  presentValue: PresentValueFunction<Flow>,
): number {
  const advanced = flows.filter(({ cents }) => cents > 0);
  const paid = flows.filter(({ cents }) => cents < 0).map((flow) => ({ ...flow, cents: -flow.cents }));
  const sides = {
    advances: (rate: number) => presentValue(advanced, rate),
    payments: (rate: number) => presentValue(paid, rate),
  };
  const isInOrder = advanced.length > 0 && flows.slice(0, advanced.length).every(({ cents }) => cents > 0);

  let low = 0;
  let high = firstGuess(sides);
  while (high < (isInOrder ? Infinity : MAX_RATE)) {
    const rate = isInOrder ? singleRateWithin(sides, low, high) : smallestRateWithin(sides, low, high);
    if (rate !== undefined) return rate;
    [low, high] = [high, 2 * high];
  }
  throw new RangeError('payments: expected dates on which they repay the advances at some rate, but received none');
}

/** Returns the root of the tangent at 0: accurate for small rates, and too small for large rates of a loan with one advance. */
function firstGuess({ advances, payments }: Sides): number {
  const advanced = advances(0);
  const paid = payments(0);
  const guess = (paid.value - advanced.value) / (paid.negativeSlope - advanced.negativeSlope);
  return guess > MIN_WIDTH && guess < MAX_RATE ? guess : MIN_WIDTH;
}

/** Returns the rate up to `high`, if the equation has a single solution and it is above `low`. */
function singleRateWithin(sides: Sides, low: number, high: number): number | undefined {
  return sides.advances(high).value >= sides.payments(high).value ? newton(sides, low, high) : undefined;
}

/** Returns the smallest rate between `low`, where the payments have the higher present value, and `high`. */
function smallestRateWithin(sides: Sides, low: number, high: number): number | undefined {
  const advancedLow = sides.advances(low);
  const paidHigh = sides.payments(high);
  // In this interval, the advances have at most their value at `low`, and the payments at least their value at `high`.
  if (advancedLow.value < paidHigh.value) return undefined;
  // The payments decrease faster throughout the interval, so there is at most one solution.
  if (paidHigh.negativeSlope > advancedLow.negativeSlope) return singleRateWithin(sides, low, high);
  if (high - low <= MIN_WIDTH * (1 + low)) return low;
  const middle = (low + high) / 2;
  return smallestRateWithin(sides, low, middle) ?? smallestRateWithin(sides, middle, high);
}

/** Returns the rate between `low`, where the payments have the higher present value, and `high`, where the advances have it. */
function newton(sides: Sides, low: number, high: number): number {
  let rate = (low + high) / 2;
  // Bisection alone would converge in fewer steps. The limit prevents an endless loop caused by rounding errors.
  for (let step = 0; step < 200; step++) {
    const advanced = sides.advances(rate);
    const paid = sides.payments(rate);
    const difference = advanced.value - paid.value;
    if (difference === 0) return rate;
    if (difference < 0) low = rate;
    else high = rate;
    const tangent = rate - difference / (paid.negativeSlope - advanced.negativeSlope);
    const next = tangent > low && tangent < high ? tangent : (low + high) / 2;
    if (Math.abs(next - rate) <= MIN_WIDTH * (1 + rate)) return next;
    rate = next;
  }
  return rate;
}
