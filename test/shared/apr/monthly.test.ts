import { describe, expect, it } from 'vitest';
import { scheduleOf } from '../schedule.ts';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { costsMoreThan, monthlyApr, REGULAR } from '../../../shared/apr/monthly.ts';
import { REGULAR_TOLERANCE } from '../../../shared/apr/tolerance.ts';
import { addDays, addMonths } from '../../../shared/dates.ts';
import { samples, type SeededRandom } from '../../support/random.ts';

const payments = (...groups: [count: number, cents: number][]) =>
  groups.flatMap(([count, cents]) => Array.from({ length: count }, () => cents));

describe('monthlyApr', () => {
  // Regulation Z, 12 CFR Part 1026, Appendix J: the examples with one advance and regular months. `printed` is the rate printed
  // in the appendix; `exact` was calculated with 50 digits.
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
  ])('returns $printed % for Appendix J $example', ({ amount, paid, printed, exact }) => {
    const apr = 100 * monthlyApr(amount, paid);

    expect(Number(apr.toFixed(2))).toBe(printed);
    expect(Math.abs(apr - exact)).toBeLessThan(1e-9);
  });

  it.each([
    { amount: 10_000, paid: [10_100], apr: 0.12 },
    { amount: 10_000, paid: [0, 10_201], apr: 0.12 },
    { amount: 10_000, paid: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20_000], apr: 12 * (2 ** (1 / 12) - 1) },
    { amount: 100, paid: [200], apr: 12 },
  ])('returns $apr for $amount cents repaid by $paid', ({ amount, paid, apr }) => {
    expect(monthlyApr(amount, paid)).toBeCloseTo(apr, 12);
  });

  it.each([{ paid: [50_000] }, { paid: payments([10, 5_000]) }, { paid: [1, 49_999] }])(
    'returns exactly 0 if the payments equal the amount: $paid',
    ({ paid }) => {
      expect(monthlyApr(50_000, paid)).toBe(0);
    },
  );

  it.each([
    { because: 'the payments are a cent less than the amount', amount: 50_000, paid: payments([9, 5_000], [1, 4_999]) },
    { because: 'there is no payment', amount: 50_000, paid: [] },
    { because: 'the amount is 0', amount: 0, paid: [100] },
    { because: 'the amount is negative', amount: -100, paid: [100] },
    { because: 'the amount is NaN', amount: Number.NaN, paid: [100] },
  ])('rejects a loan if $because', ({ amount, paid }) => {
    expect(() => monthlyApr(amount, paid)).toThrow(RangeError);
    expect(() => monthlyApr(amount, paid)).toThrow(`do not repay ${amount} cents`);
  });

  it('equals the result of bisection, for 2,000 schedules of uneven payments', () => {
    for (const { amount, paid } of samples(2_000, 11, schedule)) {
      const difference = Math.abs(monthlyApr(amount, paid) - aprByBisection(amount, paid));
      expect(100 * difference, `${amount} repaid by ${paid.length} payments`).toBeLessThan(1e-9);
    }
  });

  it.each([
    { case: 'a cent of interest on a billion', amount: 99_999_999_999, paid: [100_000_000_000] },
    { case: 'a cent of interest over thirty years', amount: 3_600_000, paid: payments([359, 10_000], [1, 10_001]) },
    { case: 'payments of the whole amount in every month of a year', amount: 10_000, paid: payments([12, 10_000]) },
    { case: 'a thousand times the amount after a month', amount: 100, paid: [100_000] },
    { case: 'a cent that grows to a billion dollars in a month', amount: 1, paid: [99_999_999_999] },
    { case: 'a cent that grows to a billion dollars in thirty years', amount: 1, paid: payments([359, 0], [1, 99_999_999_999]) },
    { case: 'one large and 359 small payments', amount: 100, paid: payments([1, 90_000], [359, 1]) },
  ])('converges for $case', ({ amount, paid }) => {
    const apr = monthlyApr(amount, paid);

    const value = presentValue(paid, apr / 12);
    expect(Number.isFinite(apr) && apr > 0).toBe(true);
    expect(Math.abs(value - amount) / amount).toBeLessThan(1e-9);
  });

  it('is within the tolerance of Regulation Z of the contract rate, for 2,000 loans from $50', () => {
    for (const { principalCents, aprBps, months } of samples(2_000, 12, loan)) {
      const { installments } = scheduleOf(principalCents, aprBps, months);
      const apr = monthlyApr(
        principalCents,
        installments.map(({ paymentCents }) => paymentCents),
      );
      const difference = Math.abs(apr - aprBps / 10_000);
      expect(difference, `${principalCents} at ${aprBps} over ${months}`).toBeLessThanOrEqual(REGULAR_TOLERANCE);
    }
  });
});

describe('monthlyApr with an odd first period', () => {
  it.each([
    // (1 + i)^2 = 1.1, and (1 + i / 2) (1 + i) = 1.015.
    { first: { months: 2, days: 0 }, amount: 100_000, paid: [110_000], percent: 58.57 },
    { first: { months: 1, days: 15 }, amount: 100_000, paid: [101_500], percent: 11.96 },
  ])('returns $percent % for $first.months months and $first.days days', ({ first, amount, paid, percent }) => {
    expect(100 * monthlyApr(amount, paid, first)).toBeCloseTo(percent, 2);
  });

  it('equals actuarialApr for the same dates, for 2,000 loans', () => {
    for (const { amount, paid, first, date } of samples(2_000, 81, oddLoan)) {
      const anchor = addDays(date, first.days);
      const apr = actuarialApr({
        advances: [{ date, cents: amount }],
        payments: paid.map((cents, index) => ({ date: addMonths(anchor, first.months + index), cents })),
        unitPeriod: { unit: 'month', count: 1 },
        dueDay: Number(anchor.slice(8)),
      });
      const difference = Math.abs(monthlyApr(amount, paid, first) - apr);
      if (!(difference < 1e-12)) expect.fail(JSON.stringify({ date, first, amount, difference }));
    }
  });

  it('decreases with the length of the first period', () => {
    const paid = Array.from({ length: 12 }, () => 9_000);
    const rates = [1, 2, 3].flatMap((months) => [0, 10, 20, 27].map((days) => monthlyApr(100_000, paid, { months, days })));

    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
    expect(new Set(rates).size).toBe(rates.length);
  });
});

describe('costsMoreThan', () => {
  it('agrees with monthlyApr just above and just below the rate, for 2,000 loans', () => {
    for (const { amount, paid, first } of samples(2_000, 82, oddLoan)) {
      const apr = monthlyApr(amount, paid, first);
      expect(costsMoreThan(apr - 1e-8, amount, paid, first)).toBe(true);
      expect(costsMoreThan(apr + 1e-8, amount, paid, first)).toBe(false);
    }
  });

  it.each([
    { amount: 10_000, paid: [10_300], apr: 0.36 },
    { amount: 40_000, paid: [20_600, 21_218], apr: 0.36 },
    { amount: 10_000, paid: [5_000, 5_000], apr: 0 },
  ])('returns false for a rate of exactly $apr, and true with one more cent', ({ amount, paid, apr }) => {
    expect(costsMoreThan(apr, amount, paid, REGULAR)).toBe(false);
    expect(costsMoreThan(apr, amount, [...paid.slice(0, -1), paid.at(-1)! + 1], REGULAR)).toBe(true);
  });
});

const loan = (random: SeededRandom) => ({
  principalCents: random.magnitude(5_000, 3_000_000),
  aprBps: random.integer(0, 3_599),
  months: random.integer(1, 24),
});

/** Returns uneven payments that repay the amount and a finance charge. */
function schedule(random: SeededRandom): { amount: number; paid: number[] } {
  const amount = random.magnitude(100, 100_000_000);
  const weights = Array.from({ length: random.integer(1, 120) }, () => 0.2 + random.fraction());
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const costs = 1 + weights.length * 0.03 * random.fraction();
  return { amount, paid: weights.map((weight) => Math.ceil((amount * costs * weight) / totalWeight)) };
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

function oddLoan(random: SeededRandom) {
  const amount = random.magnitude(5_000, 3_000_000);
  const months = random.integer(1, 60);
  const level = Math.ceil((amount * (1 + random.fraction() * 0.02 * months)) / months) + 1;
  return {
    amount,
    paid: Array.from({ length: months }, () => level),
    first: { months: random.integer(1, 6), days: random.integer(0, 27) },
    date: addDays('2024-01-01', random.integer(0, 1_500)),
  };
}
