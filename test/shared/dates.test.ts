import { describe, expect, it } from 'vitest';
import { addMonths, ageOn, dateIn, daysInMonth, formatDate, type CivilDate } from '../../shared/dates.ts';

describe('dateIn', () => {
  it.each<[number | string, string, CivilDate]>([
    ['2027-01-01T01:00:00.000000Z', 'UTC', '2027-01-01'],
    ['2027-01-01T01:00:00.000000Z', 'America/New_York', '2026-12-31'],
    ['2027-01-01T04:59:59.999999Z', 'America/New_York', '2026-12-31'],
    ['2027-01-01T05:00:00.000000Z', 'America/New_York', '2027-01-01'],
    ['2026-07-01T03:59:59.999999Z', 'America/New_York', '2026-06-30'],
    ['2026-07-01T04:00:00.000000Z', 'America/New_York', '2026-07-01'],
    ['2026-12-31T11:00:00.000000Z', 'Pacific/Auckland', '2027-01-01'],
    [Date.UTC(2028, 1, 29, 9), 'Pacific/Honolulu', '2028-02-28'],
  ])('returns the date at %s in %s: %s', (at, timeZone, date) => {
    expect(dateIn(at, timeZone)).toBe(date);
  });

  it('rejects an unknown time zone', () => {
    expect(() => dateIn(0, 'America/Springfield')).toThrow(RangeError);
  });
});

describe('addMonths', () => {
  it.each<[CivilDate, number, CivilDate, string]>([
    ['2026-11-21', 1, '2026-12-21', 'within a year'],
    ['2026-11-21', 2, '2027-01-21', 'into the next year'],
    ['2026-11-21', 24, '2028-11-21', 'two years'],
    ['2026-12-31', 1, '2027-01-31', 'from December to January'],
    ['2026-11-21', 0, '2026-11-21', 'no months'],
    ['2026-03-31', -1, '2026-02-28', 'back to a shorter month'],
    ['2026-01-15', -1, '2025-12-15', 'back to the previous year'],
    ['2026-01-31', 1, '2026-02-28', 'February has 28 days'],
    ['2028-01-31', 1, '2028-02-29', '2028 is a leap year'],
    ['2100-01-31', 1, '2100-02-28', '2100 is not a leap year'],
    ['2000-01-31', 1, '2000-02-29', '2000 was a leap year'],
    ['2026-03-31', 1, '2026-04-30', 'April has 30 days'],
    ['2026-01-30', 1, '2026-02-28', 'February has no 30th either'],
    ['2028-02-29', 12, '2029-02-28', 'the next year has no 29th of February'],
    ['2028-02-29', 48, '2032-02-29', 'from leap day to leap day'],
  ])('%s plus %d months is %s: %s', (date, months, sum) => {
    expect(addMonths(date, months)).toBe(sum);
  });
});

describe('daysInMonth', () => {
  it('returns the length of each month', () => {
    const lengths = Array.from({ length: 12 }, (_, index) => daysInMonth(2026, index + 1));
    expect(lengths).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
  });
});

describe('formatDate', () => {
  it.each<[CivilDate, string, string]>([
    ['2026-11-21', 'en-US', 'November 21, 2026'],
    ['2026-01-01', 'en-US', 'January 1, 2026'],
    ['2028-02-29', 'es-US', '29 de febrero de 2028'],
    ['2026-11-21', 'de-DE', '21. November 2026'],
  ])('formats %s in %s as %s in any time zone', (date, locale, text) => {
    expect(formatDate(date, locale)).toBe(text);
  });
});

describe('ageOn', () => {
  it.each<[CivilDate, CivilDate, number, string]>([
    ['2008-11-21', '2026-11-20', 17, 'the day before the birthday'],
    ['2008-11-21', '2026-11-21', 18, 'on the birthday'],
    ['2008-11-21', '2026-11-22', 18, 'the day after the birthday'],
    ['2008-11-21', '2026-12-01', 18, 'in a later month'],
    ['2008-11-21', '2026-10-31', 17, 'in an earlier month, on a later day'],
    ['2008-02-29', '2026-02-28', 17, 'born on a leap day, on February 28 of a common year'],
    ['2008-02-29', '2026-03-01', 18, 'born on a leap day, on March 1'],
    ['2008-02-29', '2028-02-29', 20, 'born on a leap day, in a leap year'],
    ['2026-11-21', '2026-11-21', 0, 'on the day of birth'],
    ['1926-11-21', '2026-11-21', 100, 'on the 100th birthday'],
  ])('is, for a birth date of %s, on %s, %d years: %s', (birthday, day, age) => {
    expect(ageOn(birthday, day)).toBe(age);
  });
});
