import { describe, expect, it } from 'vitest';
import { calendarDay, dayMonthsBack, isLastOfMonth, monthsBack } from '../../../shared/apr/calendar.ts';
import { addDays } from '../../../shared/dates.ts';

const day = (date: string) => calendarDay('date', date);

describe('calendarDay', () => {
  it('counts the days from 1970-01-01 like Date, over eight centuries', () => {
    for (let number = -250_000; number <= 50_000; number += 1) {
      const date = addDays('1970-01-01', number);
      const counted = day(date);
      if (counted.number !== number) expect({ date, number: counted.number }).toEqual({ date, number });
    }
  });

  it('parses a date', () => {
    expect(day('2028-02-29')).toMatchObject({ year: 2028, month: 2, day: 29 });
  });

  it.each([
    ['2026-02-29', '2026 is not a leap year'],
    ['2100-02-29', '2100 is not a leap year'],
    ['2026-02-30', 'February has no 30th'],
    ['2026-04-31', 'April has 30 days'],
    ['2026-13-01', 'the 13th month does not exist'],
    ['2026-00-10', 'month 0 does not exist'],
    ['2026-01-00', 'day 0 does not exist'],
    ['0000-01-01', 'year 0 does not exist'],
    ['2026-1-1', 'digits are missing'],
    ['2026-01-01T00:00:00Z', 'it includes a time'],
    [' 2026-01-01', 'it has a leading space'],
    ['', 'it is empty'],
    ['tomorrow', 'it is not a date'],
  ])('rejects %j: %s', (date) => {
    expect(() => calendarDay('payments[3].date', date)).toThrow(
      new RangeError(`payments[3].date: expected a date such as 2026-03-31, but received "${date}"`),
    );
  });

  it.each(['2000-02-29', '2028-02-29', '2400-02-29', '0001-01-01', '9999-12-31'])('accepts %s', (date) => {
    expect(day(date).day).toBe(Number(date.slice(8)));
  });
});

describe('isLastOfMonth', () => {
  it.each([
    ['2026-02-28', true],
    ['2028-02-28', false],
    ['2028-02-29', true],
    ['2026-04-30', true],
    ['2026-05-30', false],
    ['2026-05-31', true],
  ])('for %s is %s', (date, expected) => {
    expect(isLastOfMonth(day(date))).toBe(expected);
  });
});

describe('monthsBack', () => {
  it.each([
    ['1978-02-10', '1978-04-01', 1, { months: 1, days: 19 }, 'the example of Appendix J'],
    ['2026-01-15', '2026-02-15', 15, { months: 1, days: 0 }, 'exactly a month'],
    ['2026-01-15', '2026-02-14', 14, { months: 0, days: 30 }, 'a day less than a month'],
    ['2026-01-15', '2026-02-16', 16, { months: 1, days: 1 }, 'a day more than a month'],
    ['2026-01-15', '2026-01-15', 15, { months: 0, days: 0 }, 'the same day'],
    ['2026-01-15', '2026-01-20', 20, { months: 0, days: 5 }, 'within a month'],
    ['2025-12-20', '2026-01-10', 10, { months: 0, days: 21 }, 'across the year'],
    ['2025-12-20', '2026-02-10', 10, { months: 1, days: 21 }, 'the first full month begins in January'],
    ['2026-07-02', '2026-08-01', 1, { months: 0, days: 30 }, '30 days are not a month'],
    ['2026-02-28', '2026-03-28', 28, { months: 1, days: 0 }, '28th to 28th'],
    ['2026-01-31', '2026-02-28', 31, { months: 1, days: 0 }, 'from month end to month end'],
    ['2026-01-31', '2026-02-28', 28, { months: 0, days: 28 }, 'the 28th scheduled as the 28th'],
    ['2026-02-28', '2026-03-31', 31, { months: 1, days: 0 }, 'from a short month end to a long one'],
    ['2026-02-28', '2026-03-31', 30, { months: 1, days: 0 }, 'February 28 counts as the 30th'],
    ['2026-01-30', '2026-02-28', 30, { months: 1, days: 0 }, 'February has no 30th'],
    ['2026-01-29', '2026-02-28', 31, { months: 1, days: 2 }, 'two days to the month end'],
    ['2026-01-31', '2026-03-30', 30, { months: 1, days: 28 }, 'back to February 28'],
    ['2028-01-31', '2028-03-30', 30, { months: 1, days: 29 }, 'back to February 29'],
    ['2024-02-29', '2028-02-29', 29, { months: 48, days: 0 }, 'from leap day to leap day'],
    ['2027-02-28', '2028-02-29', 29, { months: 12, days: 0 }, 'to a leap day from a common year'],
    ['2024-02-29', '2025-02-28', 28, { months: 11, days: 28 }, 'February 28 a year later is not yet the 29th'],
  ])('from %s to %s, scheduled for the %dth, is %j: %s', (earlier, later, scheduledDay, expected) => {
    expect(monthsBack(day(earlier), day(later), scheduledDay)).toEqual(expected);
  });

  it('is consistent with dayMonthsBack for all pairs of dates in three years', () => {
    const dates = Array.from({ length: 1_100 }, (_, index) => day(addDays('2026-12-25', index)));
    for (let earlier = 0; earlier < dates.length; earlier += 7) {
      for (let later = earlier; later < dates.length; later += 5) {
        const [from, to] = [dates[earlier]!, dates[later]!];
        const { months, days } = monthsBack(from, to, to.day);
        const start = dayMonthsBack(to, months, to.day);
        const isConsistent =
          start - from.number === days && days >= 0 && days <= 30 && dayMonthsBack(to, months + 1, to.day) < from.number;
        if (!isConsistent) expect({ from, to, months, days }).toBe('consistent with dayMonthsBack');
      }
    }
  });
});
