import { describe, expect, it } from 'vitest';
import { costsMoreThan, monthlyApr, REGULAR } from '../../../shared/apr.ts';
import { samples, type SeededRandom } from '../../support/random.ts';

const payments = (...groups: [count: number, cents: number][]) =>
  groups.flatMap(([count, cents]) => Array.from({ length: count }, () => cents));

describe('monthlyApr', () => {
  // Regulation Z, 12 CFR Part 1026, Appendix J: the examples with monthly payments. `printed` is the rate printed in the appendix;
  // `exact` was calculated with 50 digits.
  it.each<[string, number, number[], number, number, { months: number; days: number }?]>([
    ['(c)(1)(i)', 500_000, payments([24, 23_000]), 9.69, 9.6857080623],
    ['(c)(1)(ii), long first period', 600_000, payments([36, 20_000]), 11.82, 11.8165082908, { months: 1, days: 19 }],
    ['(c)(2)(i), first payment irregular', 500_000, payments([1, 25_000], [23, 23_000]), 10.08, 10.0828900272],
    ['(c)(3)(i), last payment irregular', 500_000, payments([23, 23_000], [1, 28_000]), 10.5, 10.5004688579],
    ['(c)(4)(i), both irregular', 500_000, payments([1, 25_000], [22, 23_000], [1, 28_000]), 10.9, 10.8955487035],
  ])('returns the rate of Appendix J %s', (_example, amount, paid, printed, exact, first) => {
    const apr = 100 * monthlyApr(amount, paid, first);

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
    { amount: 10_000, paid: payments([11, 300], [1, 10_300]), apr: 0.36 },
    { amount: 1_000_000, paid: payments([1, 40_300], [5, 30_000], [1, 1_030_000]), apr: 0.36, first: { months: 1, days: 10 } },
    { amount: 10_000, paid: [5_000, 5_000], apr: 0 },
  ])('returns false for a rate of exactly $apr, and true with one more cent', ({ amount, paid, apr, first = REGULAR }) => {
    expect(costsMoreThan(apr, amount, paid, first)).toBe(false);
    expect(costsMoreThan(apr, amount, [...paid.slice(0, -1), paid.at(-1)! + 1], first)).toBe(true);
  });
});

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
  };
}
