import { describe, expect, it } from 'vitest';
import { dueDates, type CivilDate } from '../../shared/dates.ts';

describe('dueDates', () => {
  it.each<{ date: CivilDate; months: number; days: number; due: CivilDate[] }>([
    { date: '2026-11-21', months: 1, days: 0, due: ['2026-12-21', '2027-01-21', '2027-02-21'] },
    { date: '2027-01-31', months: 1, days: 0, due: ['2027-02-28', '2027-03-31', '2027-04-30'] },
    { date: '2028-01-30', months: 1, days: 0, due: ['2028-02-29', '2028-03-30', '2028-04-30'] },
    { date: '2028-02-29', months: 1, days: 0, due: ['2028-03-29', '2028-04-29', '2028-05-29'] },
    { date: '2026-12-31', months: 6, days: 0, due: ['2027-06-30', '2027-07-31', '2027-08-31'] },
    { date: '2026-11-21', months: 1, days: 10, due: ['2027-01-01', '2027-02-01', '2027-03-01'] },
    { date: '2026-11-30', months: 3, days: 0, due: ['2027-02-28', '2027-03-30', '2027-04-30'] },
    { date: '2027-02-01', months: 2, days: 27, due: ['2027-04-28', '2027-05-28', '2027-06-28'] },
    { date: '2028-02-02', months: 1, days: 27, due: ['2028-03-29', '2028-04-29', '2028-05-29'] },
  ])(
    'returns $due for a loan of $date with $months months and $days days to the first payment',
    ({ date, months, days, due }) => {
      expect(dueDates(date, { months, days }, 3)).toEqual(due);
    },
  );

  it('returns the same day of the month in every month that has it', () => {
    expect(dueDates('2026-12-31', { months: 1, days: 0 }, 24).at(-1)).toBe('2028-12-31');
  });
});
