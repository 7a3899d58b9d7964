import { describe, expect, it } from 'vitest';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { costsMoreThan, monthlyApr, REGULAR } from '../../../shared/apr/monthly.ts';
import { addDays, addMonths } from '../../../shared/dates.ts';
import { samples, type SeededRandom } from '../../support/random.ts';

describe('monthlyApr with an odd first period', () => {
  it.each([
    // (1 + i)^2 = 1.1, and (1 + i / 2) (1 + i) = 1.015.
    { first: { months: 2, days: 0 }, amount: 100_000, paid: [110_000], percent: 58.57 },
    { first: { months: 1, days: 15 }, amount: 100_000, paid: [101_500], percent: 11.96 },
  ])('of $first.months months and $first.days days states $percent %', ({ first, amount, paid, percent }) => {
    expect(100 * monthlyApr(amount, paid, first)).toBeCloseTo(percent, 2);
  });

  it('is what the general equation says of the dates, for 2,000 loans', () => {
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

  it('is lower the longer the first payment may wait', () => {
    const paid = Array.from({ length: 12 }, () => 9_000);
    const rates = [1, 2, 3].flatMap((months) => [0, 10, 20, 27].map((days) => monthlyApr(100_000, paid, { months, days })));

    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
    expect(new Set(rates).size).toBe(rates.length);
  });
});

describe('costsMoreThan', () => {
  it('agrees with the rate that is solved for, just above and just below it, for 2,000 loans', () => {
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
  ])('does not take a rate of exactly $apr for more', ({ amount, paid, apr }) => {
    expect(costsMoreThan(apr, amount, paid, REGULAR)).toBe(false);
    expect(costsMoreThan(apr, amount, [...paid.slice(0, -1), paid.at(-1)! + 1], REGULAR)).toBe(true);
  });
});

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
