import { describe, expect, it } from 'vitest';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { monthlyApr } from '../../../shared/apr/monthly.ts';
import type { Flow, Loan } from '../../../shared/apr/loan.ts';
import { addMonths, type CivilDate, addDays } from '../../../shared/dates.ts';
import { samples } from '../../support/random.ts';
import { randomLoan } from './random-loans.ts';
import { everyDays, monthly, on } from './series.ts';

const aprPercent = (loan: Loan) => 100 * actuarialApr(loan);
const lend = (start: CivilDate, cents: number, payments: Flow[]): Loan => ({ advances: [on(start, cents)], payments });

describe('actuarialApr', () => {
  it.each([
    {
      case: 'five daily payments after five weeks',
      ...lend('2023-10-26', 100_000, everyDays(1, '2023-11-30', 5, 22_000)),
      expectedPercent: 94.15,
    },
    {
      case: 'weekly, a long first period',
      ...lend('2023-10-28', 100_000, everyDays(7, '2023-11-30', 5, 25_000)),
      expectedPercent: 176.52,
    },
    { case: 'weekly', ...lend('2023-11-23', 100_000, everyDays(7, '2023-11-30', 5, 25_000)), expectedPercent: 412.4 },
    {
      case: 'weekly, a short first period',
      ...lend('2023-11-24', 100_000, everyDays(7, '2023-11-30', 5, 25_000)),
      expectedPercent: 434.3,
    },
    {
      case: 'yearly payments after five weeks',
      ...lend('2023-10-26', 100_000, monthly('2023-11-30', 5, 50_000, 12)),
      expectedPercent: 78.34,
    },
    {
      case: 'quarterly payments after 3 months and 8 days',
      ...lend('1978-06-23', 1_000_000, monthly('1978-10-01', 40, 38_500, 3)),
      expectedPercent: 9.15,
    },
    {
      case: 'quarterly payments after 2 months and 8 days',
      ...lend('1978-07-23', 1_000_000, monthly('1978-10-01', 40, 38_500, 3)),
      expectedPercent: 9.32,
    },
  ])('matches the F# library FSharp.Finance.Personal: $case, $expectedPercent %', ({ advances, payments, expectedPercent }) => {
    expect(Number(aprPercent({ advances, payments }).toFixed(2))).toBe(expectedPercent);
  });

  it.each([
    { case: 'one month of 1 %', ...lend('2026-01-15', 10_000, [on('2026-02-15', 10_100)]), apr: 12 },
    { case: 'a quarter of 3 %', ...lend('2026-01-15', 10_000, [on('2026-04-15', 10_300)]), apr: 12 },
    { case: 'ten days of 1 %', ...lend('2026-01-15', 10_000, [on('2026-01-25', 10_100)]), apr: 36.5 },
    { case: 'a month end to the next', ...lend('2026-01-31', 10_000, [on('2026-02-28', 10_100)]), apr: 12 },
    { case: '11 months and a day, in days', ...lend('2026-01-15', 10_000, [on('2026-12-16', 10_100)]), apr: 365 / 335 },
    { case: 'a year of 12 %', ...lend('2026-01-15', 10_000, [on('2027-01-15', 11_200)]), apr: 12 },
    { case: 'a leap year of 12 %', ...lend('2028-01-15', 10_000, [on('2029-01-15', 11_200)]), apr: 12 },
    { case: 'a year less a day', ...lend('2026-01-15', 10_000, [on('2027-01-14', 11_200)]), apr: (12 * 365) / 364 },
    { case: 'two years', ...lend('2026-01-15', 10_000, [on('2028-01-15', 12_100)]), apr: 10 },
    { case: 'a year and 73 days', ...lend('2026-01-15', 10_000, [on('2027-03-29', 11_220)]), apr: 10 },
    { case: 'a year and ten days', ...lend('2026-01-15', 100_000, [on('2027-01-25', 137_865)]), apr: 36.5 },
    {
      case: 'interest-only payments and a final payment',
      ...lend('2026-01-15', 10_000, [...monthly('2026-02-15', 11, 100), on('2027-01-15', 10_100)]),
      apr: 12,
    },
    {
      case: 'the same every two weeks',
      ...lend('2026-01-15', 10_000, [...everyDays(14, '2026-01-29', 9, 100), on('2026-06-04', 10_100)]),
      apr: 26,
    },
  ])('matches a calculation by hand: $case, $apr %', ({ advances, payments, apr }) => {
    expect(aprPercent({ advances, payments })).toBeCloseTo(apr, 10);
  });

  it('counts the odd days of a leap year', () => {
    const from = (year: number) => aprPercent(lend(`${year}-02-10`, 600_000, monthly(`${year}-04-01`, 36, 20_000)));
    expect(from(2026)).toBeCloseTo(11.8165082908, 9);
    expect(from(2028)).toBeLessThan(from(2026));
    expect(from(2028)).toBeGreaterThan(from(2026) - 0.03);
  });

  it('uses a stated unit-period instead of the derived one', () => {
    const payments = monthly('2026-03-10', 8, 2_000);
    const found = actuarialApr(lend('2026-01-01', 10_000, payments));
    const stated = (unit: 'month' | 'week', count: number) =>
      actuarialApr({ ...lend('2026-01-01', 10_000, payments), unitPeriod: { unit, count } });
    expect(stated('month', 1)).toBe(found);
    expect(stated('month', 2)).not.toBe(found);
    expect(stated('week', 4)).not.toBe(found);
  });

  it('accepts a stated unit-period for a single payment', () => {
    const single = lend('2026-01-15', 10_000, [on('2026-03-15', 10_201)]);
    expect(actuarialApr(single)).toBeCloseTo(6 * 0.0201, 12);
    expect(actuarialApr({ ...single, unitPeriod: { unit: 'month', count: 1 } })).toBeCloseTo(0.12, 12);
  });

  it('uses the due day to identify month ends if the dates are ambiguous', () => {
    const payments = [on('2026-04-30', 6_000), on('2026-06-30', 6_000)];
    const loan = { ...lend('2026-02-28', 10_000, payments), unitPeriod: { unit: 'month', count: 2 } as const };
    // February 28 is the due date for both due days, so both payments are exactly two months later.
    expect(actuarialApr({ ...loan, dueDay: 31 })).toBe(actuarialApr({ ...loan, dueDay: 30 }));
    // With due day 31, April 30 is a month end, so the first period is a month and a day. With due day 30, it is a month.
    const loanFromMarch30 = { ...lend('2026-03-30', 10_000, payments), unitPeriod: { unit: 'month', count: 1 } as const };
    expect(actuarialApr({ ...loanFromMarch30, dueDay: 31 })).toBeLessThan(actuarialApr({ ...loanFromMarch30, dueDay: 30 }));
  });

  it.each([
    { case: 'in one payment', payments: [on('2026-03-01', 10_000)] },
    { case: 'in several', payments: monthly('2026-02-28', 4, 2_500) },
    { case: 'on the day of the advance', payments: [on('2026-01-31', 10_000)] },
    { case: 'before the advance', payments: [on('2025-12-31', 10_000)] },
  ])('returns exactly 0 if the advance is reweights $case', ({ payments }) => {
    expect(Object.is(actuarialApr(lend('2026-01-31', 10_000, payments)), 0)).toBe(true);
  });

  it.each([
    { because: 'a cent is missing', loan: lend('2026-01-31', 10_000, [on('2026-03-01', 9_999)]) },
    { because: 'the only payment is before the advance', loan: lend('2026-01-31', 10_000, [on('2025-12-31', 11_000)]) },
    {
      because: 'payments come before advances and never repay them',
      loan: {
        advances: [on('2026-02-01', 15_000)],
        payments: [on('2026-01-01', 10_000), on('2026-03-01', 6_000)],
      },
    },
    {
      because: 'more is weights than advanced on the day of the advance',
      loan: lend('2026-01-31', 10_000, [on('2026-01-31', 11_000), on('2026-03-01', 1_000)]),
    },
  ])('rejects a loan if $because', ({ loan }) => {
    expect(() => actuarialApr(loan)).toThrow(RangeError);
    expect(() => actuarialApr(loan)).toThrow(/^payments: expected .*, but received /);
  });

  it.each([
    {
      rates: '10 %, 20 % and 30 %',
      advances: [on('2026-01-01', 100_000), on('2028-01-01', 431_000)],
      payments: [on('2027-01-01', 360_000), on('2029-01-01', 171_600)],
      smallest: 10,
    },
    {
      rates: '400 %, 500 % and 600 %',
      advances: [on('2026-01-01', 1_000), on('2028-01-01', 107_000)],
      payments: [on('2027-01-01', 18_000), on('2029-01-01', 210_000)],
      smallest: 400,
    },
    {
      rates: '100 %, 200 % and 300 %, in parts of a year',
      advances: [on('2026-01-01', 100_000), on('2027-04-01', 1_968_750)],
      payments: [on('2026-10-01', 925_000), on('2027-10-01', 1_256_250)],
      smallest: 100,
    },
  ])('returns the smallest of several solutions: $rates', ({ advances, payments, smallest }) => {
    expect(aprPercent({ advances, payments, unitPeriod: { unit: 'month', count: 12 } })).toBeCloseTo(smallest, 8);
  });

  it.each([
    { case: 'a cent on a billion dollars', loan: lend('2026-01-01', 99_999_999_999, [on('2026-02-01', 100_000_000_000)]) },
    {
      case: 'a cent that grows to a billion dollars in a day',
      loan: lend('2026-01-01', 1, [on('2026-01-02', 99_999_999_999)]),
    },
    {
      case: 'a cent over thirty years',
      loan: lend('2026-01-01', 3_600_000, [...monthly('2026-02-01', 359, 10_000), on('2056-01-01', 10_001)]),
    },
    { case: 'ten thousand days', loan: lend('2026-01-01', 1_000_000, everyDays(1, '2026-01-02', 10_000, 200)) },
  ])('converges for $case, and a higher payment raises the rate', ({ loan }) => {
    const apr = actuarialApr(loan);
    expect(Number.isFinite(apr) && apr > 0).toBe(true);
    expect(
      actuarialApr({ ...loan, payments: loan.payments.map((flow) => ({ ...flow, cents: flow.cents + 1 })) }),
    ).toBeGreaterThan(apr);
  });
});

describe('actuarialApr for 1,000 random loans', () => {
  const loans = samples(1_000, 7, randomLoan).map(({ loan }) => loan);
  const isClose = (one: number, other: number) => Math.abs(one - other) <= 1e-12 * (1 + one) * 365;
  /** Returns the first loan that violates a property, if any. */
  const counterexampleTo = (property: (loan: Loan, apr: number) => boolean) =>
    loans.find((loan) => !property(loan, actuarialApr(loan)));
  /** Returns the APR of the loan with changed lists. */
  const changed = (loan: Loan, change: (list: readonly Flow[]) => Flow[]) =>
    actuarialApr({ ...loan, advances: change(loan.advances), payments: change(loan.payments) });

  it('does not depend on the order of the lists', () => {
    const reversed = (list: readonly Flow[]) => list.toReversed();
    expect(counterexampleTo((loan, apr) => changed(loan, reversed) === apr)).toBeUndefined();
  });

  it('does not change if an amount is split into two', () => {
    const halved = (list: readonly Flow[]) =>
      list.flatMap(({ date, cents }) => (cents > 1 ? [on(date, 1), on(date, cents - 1)] : [on(date, 1)]));
    expect(counterexampleTo((loan, apr) => changed(loan, halved) === apr)).toBeUndefined();
  });

  it('does not change if all amounts are multiplied by 100', () => {
    const times100 = (list: readonly Flow[]) => list.map(({ date, cents }) => on(date, 100 * cents));
    expect(counterexampleTo((loan, apr) => isClose(changed(loan, times100), apr))).toBeUndefined();
  });

  it('is the same 400 years later, when the calendar repeats', () => {
    const later = (list: readonly Flow[]) => list.map(({ date, cents }) => on(addMonths(date, 4_800), cents));
    expect(counterexampleTo((loan, apr) => isClose(changed(loan, later), apr))).toBeUndefined();
  });

  it('rises if more is weights', () => {
    const counterexample = counterexampleTo((loan, apr) => {
      const [first, ...others] = loan.payments;
      const more = on(first!.date, first!.cents + Math.ceil(first!.cents / 50));
      return actuarialApr({ ...loan, payments: [more, ...others] }) > apr;
    });
    expect(counterexample).toBeUndefined();
  });

  it('rises if less is advanced', () => {
    const counterexample = counterexampleTo((loan, apr) => {
      const [first, ...others] = loan.advances;
      const less = on(first!.date, first!.cents - Math.ceil(first!.cents / 50));
      return less.cents === 0 || actuarialApr({ ...loan, advances: [less, ...others] }) > apr;
    });
    expect(counterexample).toBeUndefined();
  });

  it('equals monthlyApr if the payments are a month apart', () => {
    for (const { start, cents, weights } of samples(1_000, 8, (random) => ({
      start: addDays('2026-01-01', random.integer(0, 1_500)),
      cents: random.magnitude(100, 10_000_000),
      weights: Array.from({ length: random.integer(2, 60) }, () => random.integer(1, 100)),
    }))) {
      const scale = Math.ceil((cents * (1 + weights.length / 100)) / weights.reduce((sum, each) => sum + each, 0));
      const payments = weights.map((each, index) => on(addMonths(start, index + 1), each * scale));
      const apr = actuarialApr({
        ...lend(start, cents, payments),
        dueDay: Number(start.slice(8)),
        unitPeriod: { unit: 'month', count: 1 },
      });
      const monthlyRate = monthlyApr(
        cents,
        payments.map((flow) => flow.cents),
      );
      expect(Math.abs(apr - monthlyRate), `${cents} from ${start}`).toBeLessThan(1e-11);
    }
  });
});
