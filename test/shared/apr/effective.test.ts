import { describe, expect, it } from 'vitest';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { effectiveAnnualRate } from '../../../shared/apr/effective.ts';
import { statedPercent } from '../../../shared/apr/percent.ts';
import { samples } from '../../support/random.ts';
import { plusDays } from './random-loans.ts';
import { everyDays, monthly, on } from './series.ts';

describe('effectiveAnnualRate', () => {
  // The examples of Directive 98/7/EC, Annex II, whose equation the later directives retain.
  it.each([
    {
      credit: 100_000,
      payments: [on('2027-07-01', 120_000)],
      printed: '12.92',
      case: '1,000 repaid after a year and a half by 1,200',
    },
    { credit: 95_000, payments: [on('2027-07-01', 120_000)], printed: '16.85', case: 'the same minus costs of 50' },
    {
      credit: 100_000,
      payments: monthly('2027-01-01', 2, 60_000, 12),
      printed: '13.07',
      case: 'two payments of 600 after one and two years',
    },
    {
      credit: 100_000,
      payments: [on('2026-04-01', 27_200), on('2026-07-01', 27_200), on('2027-01-01', 54_400)],
      printed: '13.19',
      case: '272 after 3 months, 272 after 6 and 544 after 12',
    },
  ])('returns $printed % for $case', ({ credit, payments, printed }) => {
    expect(statedPercent(effectiveAnnualRate({ advances: [on('2026-01-01', credit)], payments }))).toBe(printed);
  });

  it.each([
    { case: 'a month is a twelfth', start: '2026-01-31', due: '2026-02-28', years: 1 / 12 },
    { case: 'a leap year is a year', start: '2028-01-01', due: '2029-01-01', years: 1 },
    { case: 'a week is one of 52', start: '2026-01-01', due: '2026-01-08', years: 1 / 52 },
    { case: 'ten weeks that are not whole months are 10/52', start: '2026-01-01', due: '2026-03-12', years: 10 / 52 },
    { case: '28 days that are a month are 1/12', start: '2026-02-10', due: '2026-03-10', years: 1 / 12 },
    { case: 'ten days are fractions of 365', start: '2026-01-01', due: '2026-01-11', years: 10 / 365 },
    {
      case: 'ten days are fractions of 366 if the year ending with them has a leap day',
      start: '2028-03-01',
      due: '2028-03-11',
      years: 10 / 366,
    },
    { case: 'ten days are fractions of 365 if the leap day is later', start: '2028-02-10', due: '2028-02-20', years: 10 / 365 },
    { case: 'odd days precede the months', start: '2026-01-10', due: '2026-04-01', years: 2 / 12 + 22 / 365 },
    {
      case: 'odd days before a leap day are fractions of 365',
      start: '2027-12-20',
      due: '2028-04-01',
      years: 3 / 12 + 12 / 365,
    },
    { case: 'whole weeks that are months and a day are weeks', start: '2026-01-10', due: '2028-03-11', years: 113 / 52 },
    { case: 'years are 12 months each', start: '2026-01-10', due: '2028-03-12', years: 26 / 12 + 2 / 365 },
  ])('measures time in years: $case', ({ start, due, years }) => {
    const rate = effectiveAnnualRate({ advances: [on(start, 100_000)], payments: [on(due, 110_000)] });
    expect(Math.log1p(rate)).toBeCloseTo(Math.log(1.1) / years, 9);
  });

  it('counts in weeks only if all dates are whole weeks apart', () => {
    const weeks = { advances: [on('2026-01-01', 100_000)], payments: everyDays(7, '2026-01-08', 10, 10_100) };
    const other = { ...weeks, payments: [...weeks.payments.slice(1), on('2026-01-09', 10_100)] };
    expect(effectiveAnnualRate(weeks)).toBeCloseTo((1 + actuarialApr(weeks) / 52) ** 52 - 1, 12);
    expect(effectiveAnnualRate(other)).toBeGreaterThan(0);
  });

  it('is the compounded nominal rate if all dates are months apart', () => {
    for (const { start, cents, count, cost } of samples(500, 27, (random) => ({
      start: plusDays('2026-01-01', random.integer(0, 1_500)),
      cents: random.magnitude(1_000, 10_000_000),
      count: random.integer(2, 60),
      cost: 1 + random.fraction(),
    }))) {
      const payments = monthly(start, count + 1, Math.ceil((cents * cost) / count)).slice(1);
      const loan = { advances: [on(start, cents)], payments, dueDay: Number(start.slice(8)) };
      const nominal = actuarialApr({ ...loan, unitPeriod: { unit: 'month', count: 1 } });
      const compounded = (1 + nominal / 12) ** 12 - 1;
      expect(Math.abs(effectiveAnnualRate(loan) - compounded) / (1 + compounded)).toBeLessThan(1e-12);
    }
  });

  it('returns the smallest of several solutions: 20 %, 30 % and 40 % a quarter', () => {
    const rate = effectiveAnnualRate({
      advances: [on('2026-01-01', 100_000), on('2026-07-01', 506_000)],
      payments: [on('2026-04-01', 390_000), on('2026-10-01', 218_400)],
    });
    expect(rate).toBeCloseTo(1.2 ** 4 - 1, 9);
  });

  it('returns exactly 0 if the credit costs nothing', () => {
    expect(effectiveAnnualRate({ advances: [on('2026-01-01', 600)], payments: monthly('2026-02-01', 6, 100) })).toBe(0);
  });

  it.each([
    { because: 'less is repaid than advanced', payments: [on('2026-02-01', 599)] },
    { because: 'nothing is repaid', payments: [] },
    { because: 'it is repaid before the advance', payments: [on('2025-02-01', 700)] },
    { because: 'the rate exceeds the range of a double', payments: [on('2026-01-02', 90_000_000_000)] },
  ])('rejects a loan if $because', ({ payments }) => {
    expect(() => effectiveAnnualRate({ advances: [on('2026-01-01', 600)], payments })).toThrow(RangeError);
  });
});
