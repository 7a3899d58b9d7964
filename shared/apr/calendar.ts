import { type CivilDate, daysInMonth } from '../dates.ts';

/** A date that exists, taken apart for counting. */
export interface CalendarDay {
  year: number;
  /** 1 for January. */
  month: number;
  /** 1 for the first of the month. */
  day: number;
  /** Days since 1970-01-01, negative before. Differences are days between dates, whatever the leap years in between. */
  number: number;
}

/**
 * Takes a date apart.
 *
 * @param name - What the date is, for the message when it is none.
 * @throws RangeError - the date does not exist, or is not written `2026-11-21`.
 */
export function calendarDay(name: string, date: CivilDate): CalendarDay {
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
 * Full months from `earlier` to `later`, counted back from `later`, and the days that are left at the front.
 *
 * @param scheduledDay - Day of the month that `later` is meant to fall on: 31 for the 28th of February in a series of month ends.
 * @see Regulation Z, Appendix J, (b)(3)(iv) and (b)(5)(ii).
 *
 * @example
 * // Back to the 1st of March, and 19 days from the 10th of February to it.
 * monthsBack(february10, april1, 1)     // { months: 1, days: 19 }
 * monthsBack(january31, february28, 31) // { months: 1, days: 0 }
 */
export function monthsBack(earlier: CalendarDay, later: CalendarDay, scheduledDay: number): { months: number; days: number } {
  const months = 12 * (later.year - earlier.year) + later.month - earlier.month;
  const days = dayMonthsBack(later, months, scheduledDay) - earlier.number;
  // That month's own day may lie before `earlier`: the first full month begins in the month after it.
  return days >= 0
    ? { months, days }
    : { months: months - 1, days: dayMonthsBack(later, months - 1, scheduledDay) - earlier.number };
}

/** The number of the day `months` full months before `later`; of that month's last day when it has no `scheduledDay`. */
export function dayMonthsBack(later: CalendarDay, months: number, scheduledDay: number): number {
  const monthsSinceYear0 = 12 * later.year + later.month - 1 - months;
  const year = Math.floor(monthsSinceYear0 / 12);
  const month = (monthsSinceYear0 % 12) + 1;
  return dayNumber(year, month, Math.min(scheduledDay, daysInMonth(year, month)));
}

/** Not `Date.UTC`, which takes the years below 100 for those of the twentieth century. */
function dayNumber(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS;
}

const DAY_MS = 86_400_000;
