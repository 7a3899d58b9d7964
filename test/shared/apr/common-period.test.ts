import { describe, expect, it } from 'vitest';
import { commonPeriod } from '../../../shared/apr/common-period.ts';
import { checkLoan, type Flow } from '../../../shared/apr/loan.ts';
import { everyDays, monthly, on } from './series.ts';
import type { CivilDate } from '../../../shared/dates.ts';

const periodOf = (payments: Flow[], start: CivilDate = '2026-01-01', laterAdvances: Flow[] = []) => {
  const { unit, count } = commonPeriod(checkLoan({ advances: [on(start, 10), ...laterAdvances], payments }).flows);
  return `${count} ${unit}`;
};
/** Returns payments of $1 on the given dates. */
const paidOn = (...dates: CivilDate[]) => dates.map((date) => on(date, 100));
const semimonthly = (count: number, early: CivilDate, late: CivilDate) =>
  [...monthly(early, Math.ceil(count / 2), 100), ...monthly(late, Math.floor(count / 2), 100)].toSorted((a, b) =>
    a.date < b.date ? -1 : 1,
  );

describe('commonPeriod', () => {
  it.each([
    { unit: '1 day', payments: everyDays(1, '2026-01-20', 5, 100) },
    { unit: '1 week', payments: everyDays(7, '2026-01-20', 5, 100) },
    { unit: '2 week', payments: everyDays(14, '2026-01-20', 5, 100) },
    { unit: '4 week', payments: everyDays(28, '2026-01-20', 12, 100) },
    { unit: '1 semimonth', payments: semimonthly(6, '2026-01-15', '2026-01-31') },
    { unit: '1 semimonth', payments: semimonthly(24, '2026-03-01', '2026-03-16') },
    { unit: '1 semimonth', payments: semimonthly(24, '2026-03-01', '2026-03-15') },
    { unit: '1 semimonth', payments: semimonthly(24, '2026-01-10', '2026-01-26') },
    { unit: '1 semimonth', payments: semimonthly(6, '2026-03-10', '2026-03-28') },
    { unit: '1 semimonth', payments: paidOn('2026-02-12', '2026-02-28', '2026-03-12') },
    { unit: '1 month', payments: monthly('2026-01-20', 3, 100) },
    { unit: '1 month', payments: monthly('2026-01-31', 12, 100) },
    { unit: '2 month', payments: monthly('2026-03-10', 5, 100, 2) },
    { unit: '3 month', payments: monthly('2026-03-10', 5, 100, 3) },
    { unit: '6 month', payments: monthly('2026-03-10', 5, 100, 6) },
    { unit: '12 month', payments: monthly('2026-03-10', 5, 100, 12) },
  ])('is the interval of regular payments: $unit', ({ unit, payments }) => {
    expect(periodOf(payments)).toBe(unit);
  });

  it.each<{ rule: string; payments: Flow[]; start?: CivilDate; unit: string }>([
    {
      rule: 'the most frequent interval: 2 months occur twice, 1 month three times',
      payments: paidOn('2026-03-01', '2026-05-01', '2026-06-01', '2026-07-01', '2026-08-01'),
      unit: '1 month',
    },
    {
      rule: 'the most frequent interval even if longer: 2 months occur three times, 1 month twice',
      payments: paidOn('2026-03-01', '2026-05-01', '2026-07-01', '2026-08-01', '2026-09-01'),
      unit: '2 month',
    },
    {
      rule: 'the smaller of two equally frequent intervals, with the longer one first',
      payments: paidOn('2026-03-01', '2026-05-01', '2026-06-01', '2026-07-01'),
      unit: '1 month',
    },
    {
      rule: 'the smaller of two equally frequent intervals, with the smaller one first',
      payments: paidOn('2026-02-01', '2026-03-01', '2026-05-01', '2026-07-01'),
      unit: '1 month',
    },
    {
      rule: 'the smaller of equally frequent weeks and months',
      payments: paidOn('2026-02-01', '2026-03-01', '2026-03-29', '2026-04-26', '2026-05-24', '2026-05-25'),
      unit: '4 week',
    },
    {
      rule: 'an interval that includes the time to the first payment',
      payments: paidOn('2026-02-01', '2026-03-01'),
      unit: '1 month',
    },
    {
      rule: 'two weeks in February, although the dates also halve the month',
      payments: paidOn('2026-02-15', '2026-03-01'),
      start: '2026-02-01',
      unit: '2 week',
    },
    { rule: 'a year for payments every two years', payments: monthly('2028-01-01', 3, 100, 24), unit: '12 month' },
    { rule: 'a year for payments every 53 weeks', payments: everyDays(371, '2027-01-07', 3, 100), unit: '12 month' },
    { rule: '52 weeks, which are not longer than a year', payments: everyDays(364, '2026-12-31', 3, 100), unit: '52 week' },
  ])('is $rule', ({ payments, unit, start }) => {
    expect(periodOf(payments, start)).toBe(unit);
  });

  it.each([
    { average: '31 days', payments: paidOn('2026-01-25', '2026-03-04'), unit: '1 month' },
    { average: '10 days', payments: paidOn('2026-01-11', '2026-01-21', '2026-01-31'), unit: '1 week' },
    { average: '11 days', payments: paidOn('2026-01-10', '2026-01-23'), unit: '2 week' },
    { average: '2.5 days', payments: paidOn('2026-01-03', '2026-01-06'), unit: '1 day' },
    { average: '4 days, equally near to a day and a week', payments: paidOn('2026-01-04', '2026-01-09'), unit: '1 day' },
    { average: '15 days', payments: paidOn('2026-01-12', '2026-01-31'), unit: '1 semimonth' },
    {
      average: '32 days and 17 hours, equally near to a month and five weeks',
      payments: [...everyDays(33, '2026-02-03', 17, 100), ...everyDays(32, '2027-08-17', 7, 100)],
      unit: '1 month',
    },
    { average: '45 days', payments: paidOn('2026-02-05', '2026-04-01'), unit: '6 week' },
    { average: '182.5 days', payments: paidOn('2026-06-20', '2027-01-01'), unit: '6 month' },
    { average: '356 days', payments: paidOn('2026-12-13', '2027-12-14'), unit: '51 week' },
    { average: '363.5 days', payments: paidOn('2026-12-17', '2027-12-29'), unit: '52 week' },
    { average: '400 days', payments: paidOn('2027-03-05', '2028-03-11'), unit: '12 month' },
  ])('is the standard interval nearest to the average if no interval occurs twice: $average, $unit', ({ payments, unit }) => {
    expect(periodOf(payments)).toBe(unit);
  });

  it.each([
    // 40, 10, 18 and 10 days: 19.5 on average.
    { case: 'the 10th and the 20th', payments: paidOn('2026-02-10', '2026-02-20', '2026-03-10', '2026-03-20'), unit: '3 week' },
    // 59, 12 and 19 days: 30 on average.
    { case: 'the 1st and the 13th', payments: paidOn('2026-03-01', '2026-03-13', '2026-04-01'), unit: '1 month' },
    // 59, 17 and 17 days: 31 on average.
    {
      case: 'the 1st and the 18th, and then the 4th',
      payments: paidOn('2026-03-01', '2026-03-18', '2026-04-04'),
      unit: '1 month',
    },
    { case: 'every 13th day', payments: everyDays(13, '2026-01-14', 6, 100), unit: '2 week' },
  ])('is not a semimonth for payments on $case', ({ payments, unit }) => {
    expect(periodOf(payments)).toBe(unit);
  });

  it('counts the periods between advances as well as those between payments', () => {
    const advances = monthly('2026-02-01', 3, 10);
    expect(periodOf(paidOn('2026-07-01', '2026-09-01', '2026-11-01'), '2026-01-01', advances)).toBe('1 month');
    expect(periodOf(paidOn('2026-07-01', '2026-09-01', '2026-11-01'), '2026-01-01')).toBe('2 month');
  });

  it('does not count the period from the last advance to the first payment', () => {
    const advances = [on('2026-02-01', 10)];
    // 2 months occur three times and 1 month once. If the first payment's period began on February 1, both would occur twice.
    expect(periodOf(paidOn('2026-03-01', '2026-05-01', '2026-07-01'), '2026-01-01', advances)).toBe('2 month');
  });

  it('includes the first interval even if the term begins with a payment', () => {
    const { flows } = checkLoan({
      advances: monthly('2026-02-01', 2, 1_000),
      payments: [on('2026-01-01', 10), on('2026-06-10', 3_000)],
    });
    expect(commonPeriod(flows)).toEqual({ unit: 'month', count: 1 });
  });
});
