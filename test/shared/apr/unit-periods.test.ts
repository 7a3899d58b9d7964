import { describe, expect, it } from 'vitest';
import { calendarDay } from '../../../shared/apr/calendar.ts';
import {
  perYear,
  requireUnitPeriod,
  unitPeriodsBetween,
  type Interval,
  type UnitPeriod,
} from '../../../shared/apr/unit-periods.ts';

const between = (unit: UnitPeriod['unit'], count: number, earlier: string, later: string) =>
  unitPeriodsBetween({ unit, count }, calendarDay('', earlier), calendarDay('', later), Number(later.slice(8)));

describe('unitPeriodsBetween', () => {
  it.each<[UnitPeriod['unit'], number, string, string, Interval, string]>([
    ['day', 1, '2026-01-10', '2026-03-01', { whole: 50, odd: 0, divisor: 1 }, 'days have no fraction'],
    ['day', 1, '2028-01-10', '2028-03-01', { whole: 51, odd: 0, divisor: 1 }, 'a leap year has one more day'],
    ['week', 1, '1978-03-20', '1978-04-21', { whole: 4, odd: 4, divisor: 7 }, 'fractions of a week are sevenths'],
    [
      'week',
      2,
      '1978-04-03',
      '1978-04-11',
      { whole: 0, odd: 8, divisor: 14 },
      'fractions of two weeks are fourteenths, not fifteenths',
    ],
    ['week', 2, '2026-01-01', '2026-01-20', { whole: 1, odd: 5, divisor: 14 }, 'fractions of two weeks after full unit-periods'],
    ['week', 4, '1978-03-18', '1978-04-20', { whole: 1, odd: 5, divisor: 28 }, 'fractions of four weeks'],
    ['week', 52, '2026-01-01', '2027-01-01', { whole: 1, odd: 1, divisor: 364 }, 'fractions of 52 weeks'],
    ['semimonth', 1, '1978-02-23', '1978-03-01', { whole: 0, odd: 6, divisor: 15 }, 'fractions of a semimonth are fifteenths'],
    ['semimonth', 1, '1978-02-23', '1978-03-16', { whole: 1, odd: 6, divisor: 15 }, 'one full semimonth'],
    ['semimonth', 1, '1978-02-23', '1978-04-01', { whole: 2, odd: 6, divisor: 15 }, 'a full month is two semimonths'],
    ['month', 1, '1978-02-10', '1978-04-01', { whole: 1, odd: 19, divisor: 30 }, 'fractions of a month are thirtieths'],
    ['month', 1, '2026-07-02', '2026-08-01', { whole: 0, odd: 30, divisor: 30 }, '30 odd days are not a full month'],
    ['month', 2, '1978-01-10', '1978-03-01', { whole: 0, odd: 52, divisor: 60 }, 'a remaining month has 30 days'],
    ['month', 2, '2026-01-10', '2026-06-01', { whole: 2, odd: 22, divisor: 60 }, 'after full unit-periods'],
    ['month', 3, '1978-05-23', '1978-10-01', { whole: 1, odd: 39, divisor: 90 }, 'a quarter, a month and nine days'],
    ['month', 6, '2026-01-10', '2026-10-10', { whole: 1, odd: 90, divisor: 180 }, 'half of six months'],
    ['month', 11, '2026-01-10', '2027-01-11', { whole: 1, odd: 31, divisor: 330 }, 'the longest unit-period below a year'],
    [
      'month',
      12,
      '1978-01-17',
      '1979-07-17',
      { whole: 1, odd: 6, divisor: 12 },
      'fractions of a year are twelfths for whole months',
    ],
    ['month', 12, '1978-01-03', '1980-01-03', { whole: 2, odd: 0, divisor: 12 }, 'two years'],
    [
      'month',
      12,
      '2023-10-26',
      '2023-11-30',
      { whole: 0, odd: 35, divisor: 365 },
      'fractions of a year are days of 365 otherwise',
    ],
    [
      'month',
      12,
      '2026-01-10',
      '2027-03-15',
      { whole: 1, odd: 64, divisor: 365 },
      'all odd time is counted in days: 64, not 2 months and 5 days',
    ],
    ['month', 12, '2028-01-10', '2029-03-15', { whole: 1, odd: 65, divisor: 365 }, 'one more day across a leap day'],
    ['month', 12, '2027-03-02', '2028-03-01', { whole: 0, odd: 365, divisor: 365 }, 'a leap year less a day'],
  ])('in units of %s x %d from %s to %s are %j: %s', (unit, count, earlier, later, expected) => {
    expect(between(unit, count, earlier, later)).toEqual(expected);
  });
});

describe('perYear', () => {
  it.each([
    ['day', 1, 365],
    ['week', 1, 52],
    ['week', 2, 26],
    ['week', 4, 13],
    ['semimonth', 1, 24],
    ['month', 1, 12],
    ['month', 2, 6],
    ['month', 3, 4],
    ['month', 6, 2],
    ['month', 12, 1],
  ] as const)('for %s x %d is %d', (unit, count, expected) => {
    const { numerator, denominator } = perYear({ unit, count });
    expect(numerator / denominator).toBe(expected);
  });

  it('returns an exact fraction', () => {
    expect(perYear({ unit: 'week', count: 3 })).toEqual({ numerator: 52, denominator: 3 });
  });
});

describe('requireUnitPeriod', () => {
  it.each([
    ['day', 1],
    ['week', 52],
    ['semimonth', 1],
    ['month', 12],
  ] as const)('accepts %s x %d', (unit, count) => {
    expect(() => requireUnitPeriod({ unit, count })).not.toThrow();
  });

  it.each([
    ['day', 2, 'unitPeriod.count: expected 1 to 1 of a day, but received 2'],
    ['semimonth', 2, 'unitPeriod.count: expected 1 to 1 of a semimonth, but received 2'],
    ['week', 53, 'unitPeriod.count: expected 1 to 52 of a week, but received 53'],
    ['week', 0, 'unitPeriod.count: expected 1 to 52 of a week, but received 0'],
    ['month', 1.5, 'unitPeriod.count: expected 1 to 12 of a month, but received 1.5'],
    ['month', Number.NaN, 'unitPeriod.count: expected 1 to 12 of a month, but received NaN'],
    ['fortnight', 1, 'unitPeriod.unit: expected day, week, semimonth, month, but received fortnight'],
    ['toString', 1, 'unitPeriod.unit: expected day, week, semimonth, month, but received toString'],
  ])('rejects %s x %d', (unit, count, message) => {
    expect(() => requireUnitPeriod({ unit, count } as UnitPeriod)).toThrow(new RangeError(message));
  });
});
