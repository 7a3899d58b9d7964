import { describe, expect, it } from 'vitest';
import { smallestRate, type PresentValueFunction } from '../../../shared/apr/solve.ts';

interface Yearly {
  cents: number;
  year: number;
}

const yearly: PresentValueFunction<Yearly> = (flows, rate) => ({
  value: flows.reduce((sum, { cents, year }) => sum + cents / (1 + rate) ** year, 0),
  negativeSlope: flows.reduce((sum, { cents, year }) => sum + (year * cents) / (1 + rate) ** (year + 1), 0),
});
/** One flow per year. They are the coefficients of a polynomial in 1 + rate, highest power first, whose roots are the rates. */
const flows = (...cents: number[]): Yearly[] =>
  cents.map((amount, year) => ({ cents: amount, year })).filter(({ cents: amount }) => amount !== 0);
/** Returns zeros for `count` years without a flow. */
const emptyYears = (count: number): number[] => Array.from({ length: count }, () => 0);

describe('smallestRate', () => {
  it.each([
    [flows(100, -110), 0.1],
    [flows(100, -60, -60), 0.1306623862918075],
    [flows(100, 0, 0, 0, 0, -100_000), 10 ** (3 / 5) - 1],
    [flows(1, -1e11), 1e11 - 1],
    [flows(1, 1, 1, 1, -5), 0.09128062330943909],
    [flows(1e15, -1e15 - 1), 1e-15],
  ])('returns the rate of advances followed by payments: %j has %d', (given, rate) => {
    const found = smallestRate(given, yearly);
    expect(Math.abs(found - rate) / (1 + rate)).toBeLessThan(1e-12);
  });

  it.each([
    { roots: '10 %, 20 % and 30 %', given: flows(1_000, -3_600, 4_310, -1_716), rate: 0.1 },
    { roots: '10 % and 300 %', given: flows(-1_000, 5_100, -4_400), rate: 0.1 },
    { roots: '25 %, 50 % and 900 %', given: flows(800, -10_200, 23_500, -15_000), rate: 0.25 },
    { roots: '1 %, 1.1 % and 20 %', given: flows(1e9, -3.221e9, 3.44631e9, -1.225332e9), rate: 0.01 },
  ])('returns the smallest of $roots', ({ given, rate }) => {
    expect(smallestRate(given, yearly)).toBeCloseTo(rate, 9);
  });

  it('returns a double root', () => {
    // (x - 1.1)^2 (x - 1.2): floating-point precision of a double root is half the digits.
    expect(smallestRate(flows(1_000, -3_400, 3_850, -1_452), yearly)).toBeCloseTo(0.1, 5);
  });

  it('skips a minimum that is not a root', () => {
    // The previous loan with one more cent of payments: at 10 % the present value of the payments is still higher.
    expect(smallestRate(flows(100_000, -340_000, 385_000, -145_201), yearly)).toBeGreaterThan(0.19);
  });

  it('converges if both sides decrease equally at 0', () => {
    // Both decrease by 200, so the tangent at 0 has no root. 1 + rate is a root of x^3 - 50 x^2 + 100 x - 50.
    const rate = smallestRate(flows(-1, 50, -100, 50), yearly);
    const x = 1 + rate;
    expect(rate).toBeCloseTo(0.18166, 5);
    expect(((x - 50) * x + 100) * x - 50).toBeCloseTo(0, 12);
  });

  it.each([0.1, 1_000])('returns the first of a range of rates at which both sides are equal: %d', (first) => {
    const payments = { cents: -1, worthMore: true };
    const advances = { cents: 1, worthMore: false };
    const found = smallestRate([payments, advances], ([flow], rate) => {
      const worthMore = flow!.worthMore && rate < first;
      return {
        value: 1 / (1 + rate) + (worthMore ? first - rate : 0),
        negativeSlope: 1 / (1 + rate) ** 2 + (worthMore ? 1 : 0),
      };
    });
    expect(Math.abs(found - first) / first).toBeLessThan(1e-12);
  });

  it.each([
    { because: 'a payment comes before the only advance', given: flows(-110, 100) },
    { because: 'there is no advance', given: flows(-50, -100) },
    { because: 'there is no advance, and no payment for two years', given: flows(0, 0, -50, -100) },
    { because: 'the advances always have the lower present value', given: flows(-100, 150, -60) },
  ])('throws if $because', ({ given }) => {
    expect(() => smallestRate(given, yearly)).toThrow(
      new RangeError('payments: expected dates on which they repay the advances at some rate, but received none'),
    );
  });

  it('throws if the rate exceeds the range of a double', () => {
    const nextDay = [
      { cents: 1, year: 0 },
      { cents: -1e11, year: 1 / 365 },
    ];
    expect(() => smallestRate(nextDay, yearly)).toThrow(RangeError);
  });

  it.each([
    { case: 'a small rate', given: flows(100, -101), maxSteps: 8 },
    { case: 'advances in four years', given: flows(100, 100, 100, 100, -600), maxSteps: 8 },
    { case: 'a late advance that is far larger than the first', given: flows(1, ...emptyYears(30), 1e6, -1.1e6), maxSteps: 14 },
    { case: 'a tiny rate', given: flows(1e11, -1e11 - 1), maxSteps: 10 },
    { case: 'a rate at the end of a bracket', given: flows(1, -2), maxSteps: 12 },
    { case: 'a rate equal to the root of a tangent', given: flows(1_000, 0, -16_000), maxSteps: 14 },
    { case: 'a rate of 300 %', given: flows(1_000, -4_000), maxSteps: 22 },
    { case: 'a large first payment and a larger last payment', given: flows(1e6, -1e6, -1, -1, -1, -1, -1e9), maxSteps: 44 },
    { case: 'a huge rate', given: flows(1, -1e11), maxSteps: 48 },
    { case: 'a late payment whose tangents overshoot', given: flows(1, ...emptyYears(58), -2.1e6), maxSteps: 20 },
    { case: 'a huge late payment', given: flows(1, ...emptyYears(59), -1e11), maxSteps: 40 },
  ])('converges within $maxSteps steps for $case', ({ given, maxSteps }) => {
    let evaluations = 0;
    const counted: PresentValueFunction<Yearly> = (flowsOfSide, rate) => {
      evaluations++;
      return yearly(flowsOfSide, rate);
    };
    smallestRate(given, counted);
    // Each step evaluates the advances and the payments.
    expect(evaluations / 2).toBeLessThanOrEqual(maxSteps);
  });
});
