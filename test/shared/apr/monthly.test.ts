import { describe, expect, it } from 'vitest';
import { amortize } from '../../../shared/amortization.ts';
import { monthlyApr } from '../../../shared/apr/monthly.ts';
import { REGULAR_TOLERANCE } from '../../../shared/apr/tolerance.ts';
import { samples, type SeededRandom } from '../../support/random.ts';

const payments = (...groups: [count: number, cents: number][]) =>
  groups.flatMap(([count, cents]) => Array.from({ length: count }, () => cents));

describe('monthlyApr', () => {
  // Regulation Z, 12 CFR Part 1026, Appendix J: the examples with one advance and regular months. `printed` is what the
  // appendix prints, `exact` comes from a solver with fifty digits.
  it.each([
    { example: '(c)(1)(i)', amount: 500_000, paid: payments([24, 23_000]), printed: 9.69, exact: 9.6857080623 },
    {
      example: '(c)(2)(i), first payment irregular',
      amount: 500_000,
      paid: payments([1, 25_000], [23, 23_000]),
      printed: 10.08,
      exact: 10.0828900272,
    },
    {
      example: '(c)(3)(i), last payment irregular',
      amount: 500_000,
      paid: payments([23, 23_000], [1, 28_000]),
      printed: 10.5,
      exact: 10.5004688579,
    },
    {
      example: '(c)(4)(i), first and last payment irregular',
      amount: 500_000,
      paid: payments([1, 25_000], [22, 23_000], [1, 28_000]),
      printed: 10.9,
      exact: 10.8955487035,
    },
  ])('Appendix J $example: $printed %', ({ amount, paid, printed, exact }) => {
    const apr = 100 * monthlyApr(amount, paid);

    expect(Number(apr.toFixed(2))).toBe(printed);
    expect(Math.abs(apr - exact)).toBeLessThan(1e-9);
  });

  it.each([
    { amount: 10_000, paid: [10_100], apr: 0.12 },
    { amount: 10_000, paid: [0, 10_201], apr: 0.12 },
    { amount: 10_000, paid: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20_000], apr: 12 * (2 ** (1 / 12) - 1) },
    { amount: 100, paid: [200], apr: 12 },
  ])('$amount cents repaid by $paid cost $apr a year', ({ amount, paid, apr }) => {
    expect(monthlyApr(amount, paid)).toBeCloseTo(apr, 12);
  });

  it.each([{ paid: [50_000] }, { paid: payments([10, 5_000]) }, { paid: [1, 49_999] }])(
    'is exactly 0 when as much is repaid as was financed: $paid',
    ({ paid }) => {
      expect(monthlyApr(50_000, paid)).toBe(0);
    },
  );

  it.each([
    { because: 'a cent is missing', amount: 50_000, paid: payments([9, 5_000], [1, 4_999]) },
    { because: 'nothing is paid', amount: 50_000, paid: [] },
    { because: 'nothing is financed', amount: 0, paid: [100] },
    { because: 'less than nothing is financed', amount: -100, paid: [100] },
    { because: 'the amount is no number', amount: Number.NaN, paid: [100] },
  ])('refuses when $because', ({ amount, paid }) => {
    expect(() => monthlyApr(amount, paid)).toThrow(RangeError);
    expect(() => monthlyApr(amount, paid)).toThrow(`do not repay ${amount} cents`);
  });

  it('is the root that plain bisection finds, for 2,000 schedules of uneven payments', () => {
    for (const { amount, paid } of samples(2_000, 11, schedule)) {
      const difference = Math.abs(monthlyApr(amount, paid) - aprByBisection(amount, paid));
      expect(100 * difference, `${amount} repaid by ${paid.length} payments`).toBeLessThan(1e-9);
    }
  });

  it.each([
    { case: 'a cent of interest on a billion', amount: 99_999_999_999, paid: [100_000_000_000] },
    { case: 'a cent of interest over thirty years', amount: 3_600_000, paid: payments([359, 10_000], [1, 10_001]) },
    { case: 'the whole amount back every month of a year', amount: 10_000, paid: payments([12, 10_000]) },
    { case: 'a thousandfold after a month', amount: 100, paid: [100_000] },
    { case: 'a cent that became a billion after a month', amount: 1, paid: [99_999_999_999] },
    { case: 'a cent that became a billion after thirty years', amount: 1, paid: payments([359, 0], [1, 99_999_999_999]) },
    { case: 'a large payment and three hundred and fifty-nine small ones', amount: 100, paid: payments([1, 90_000], [359, 1]) },
  ])('converges for $case', ({ amount, paid }) => {
    const apr = monthlyApr(amount, paid);

    const worth = presentValue(paid, apr / 12);
    expect(Number.isFinite(apr) && apr > 0).toBe(true);
    expect(Math.abs(worth - amount) / amount).toBeLessThan(1e-9);
  });

  it('is the contract rate, within the tolerance of Regulation Z, for 2,000 loans from $50 up', () => {
    for (const { principalCents, aprBps, months } of samples(2_000, 12, loan)) {
      const { installments } = amortize(principalCents, aprBps, months);
      const apr = monthlyApr(
        principalCents,
        installments.map(({ paymentCents }) => paymentCents),
      );
      const difference = Math.abs(apr - aprBps / 10_000);
      expect(difference, `${principalCents} at ${aprBps} over ${months}`).toBeLessThanOrEqual(REGULAR_TOLERANCE);
    }
  });
});

const loan = (random: SeededRandom) => ({
  principalCents: random.magnitude(5_000, 3_000_000),
  aprBps: random.integer(0, 3_599),
  months: random.integer(1, 24),
});

/** Uneven payments that repay somewhat more than the amount. */
function schedule(random: SeededRandom): { amount: number; paid: number[] } {
  const amount = random.magnitude(100, 100_000_000);
  const weights = Array.from({ length: random.integer(1, 120) }, () => 0.2 + random.fraction());
  const weight = weights.reduce((sum, each) => sum + each, 0);
  const costs = 1 + weights.length * 0.03 * random.fraction();
  return { amount, paid: weights.map((each) => Math.ceil((amount * costs * each) / weight)) };
}

function aprByBisection(amount: number, paid: number[]): number {
  let [low, high] = [0, 10];
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (presentValue(paid, middle) > amount) low = middle;
    else high = middle;
  }
  return 12 * low;
}

function presentValue(paid: number[], monthlyRate: number): number {
  return paid.reduce((sum, cents, index) => sum + cents * Math.exp(-(index + 1) * Math.log1p(monthlyRate)), 0);
}
