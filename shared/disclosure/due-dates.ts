import type { FirstPeriod } from '../apr/monthly.ts';
import { addDays, addMonths, type CivilDate } from '../dates.ts';

/**
 * Returns the due dates of monthly payments. The first is due after the odd days and then the months of the first period.
 *
 * All dates are computed from the same day, so that payments of a loan made on the 31st return to the 31st after every shorter
 * month.
 *
 * @param date - Date of the loan.
 */
export function dueDates(date: CivilDate, first: FirstPeriod, count: number): CivilDate[] {
  const anchor = addDays(date, first.days);
  return Array.from({ length: count }, (_, index) => addMonths(anchor, first.months + index));
}

/** Returns the day of the month on which payments are due. In a shorter month, they are due on its last day. */
export function dueDay(date: CivilDate, first: FirstPeriod): number {
  return Number(addDays(date, first.days).slice(8));
}
