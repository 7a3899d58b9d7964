import { daysInMonth } from '../dates.ts';

/** A valid date, split into its parts. */
export interface CalendarDay {
  year: number;
  /** 1 for January. */
  month: number;
  /** 1 for the first of the month. */
  day: number;
  /** Days since 1970-01-01, negative before. The difference of two is the exact number of days between the dates. */
  number: number;
}

/**
 * Parses a date.
 *
 * @param name - Name of the date in the error message.
 * @throws RangeError if the date does not exist or is not in the format `2026-11-21`.
 */
export function calendarDay(name: string, date: string): CalendarDay {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? []).map(Number);
  if (!year || !month || !day || month > 12 || day > daysInMonth(year, month)) {
    throw new RangeError(`${name}: expected a date such as 2026-03-31, but received ${JSON.stringify(date)}`);
  }
  return { year, month, day, number: dayNumber(year, month, day) };
}

export function isLastOfMonth({ year, month, day }: CalendarDay): boolean {
  return day === daysInMonth(year, month);
}

/**
 * Returns the full months from `earlier` to `later`, counted back from `later`, and the days remaining at the beginning.
 *
 * @param scheduledDay - Day of the month that `later` is scheduled for: 31 for February 28 in a series of month ends.
 * @see Regulation Z, Appendix J, (b)(3)(iv) and (b)(5)(ii).
 *
 * @example
 * // One month back to March 1, and 19 days from February 10 to it.
 * monthsBack(february10, april1, 1)     // { months: 1, days: 19 }
 * monthsBack(january31, february28, 31) // { months: 1, days: 0 }
 */
export function monthsBack(earlier: CalendarDay, later: CalendarDay, scheduledDay: number): { months: number; days: number } {
  const months = 12 * (later.year - earlier.year) + later.month - earlier.month;
  const days = dayMonthsBack(later, months, scheduledDay) - earlier.number;
  // The scheduled day of that month may be before `earlier`. The first full month then begins one month later.
  return days >= 0
    ? { months, days }
    : { months: months - 1, days: dayMonthsBack(later, months - 1, scheduledDay) - earlier.number };
}

/**
 * Returns the day number of the date `months` full months before `later`: its `scheduledDay`, or the last day of a shorter
 * month.
 */
export function dayMonthsBack(later: CalendarDay, months: number, scheduledDay: number): number {
  const monthsSinceYear0 = 12 * later.year + later.month - 1 - months;
  const year = Math.floor(monthsSinceYear0 / 12);
  const month = (monthsSinceYear0 % 12) + 1;
  return dayNumber(year, month, Math.min(scheduledDay, daysInMonth(year, month)));
}

/** `Date.UTC` is not used because it maps the years 0 to 99 to 1900 to 1999. */
function dayNumber(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS;
}

const DAY_MS = 86_400_000;
