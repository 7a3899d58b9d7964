import type { FirstPeriod } from '../apr/monthly.ts';
import { addDays, addMonths, type CivilDate } from '../dates.ts';

/**
 * When payments are due: the first so many months after so many days after the loan is made, the others a month apart.
 *
 * All are counted from the same day, so that a loan of the 31st is due on the 31st again after every short month.
 *
 * @param date - The day the loan is made.
 */
export function dueDates(date: CivilDate, first: FirstPeriod, count: number): CivilDate[] {
  const anchor = addDays(date, first.days);
  return Array.from({ length: count }, (_, index) => addMonths(anchor, first.months + index));
}

/** Day of the month that payments are due on; a shorter month has them on its last. */
export function dueDay(date: CivilDate, first: FirstPeriod): number {
  return Number(addDays(date, first.days).slice(8));
}
