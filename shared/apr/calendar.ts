import type { CivilDate } from '../dates.ts';

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

/** 28 to 31, by the Gregorian calendar. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
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

/** Counts from the 1st of March, so that a leap day is the last day of its year and needs no special case. */
function dayNumber(year: number, month: number, day: number): number {
  const [marchYear, marchMonth] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  // 719,468 days lie between the 1st of March of the year 0 and the 1st of January 1970.
  return 365 * marchYear + leapDays + Math.floor((153 * marchMonth + 2) / 5) + day - 1 - 719_468;
}
