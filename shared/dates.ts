import type { FirstPeriod } from './apr.ts';

/** A date without a time: `2026-11-21`. */
export type CivilDate = `${number}-${number}-${number}`;

/**
 * Adds months to a date. If the resulting month is too short, returns its last day.
 *
 * Compute every date of a series from the first date. Adding one month repeatedly would turn the 31st into the 28th after
 * February.
 */
export function addMonths(date: CivilDate, months: number): CivilDate {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const monthsSinceYear0 = 12 * year + month - 1 + months;
  const inYear = Math.floor(monthsSinceYear0 / 12);
  const inMonth = (monthsSinceYear0 % 12) + 1;
  const inDay = Math.min(day, daysInMonth(inYear, inMonth));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has this form
  return `${String(inYear).padStart(4, '0')}-${String(inMonth).padStart(2, '0')}-${String(inDay).padStart(2, '0')}` as CivilDate;
}

export function addDays(date: CivilDate, days: number): CivilDate {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has this form
  return moment.toISOString().slice(0, 10) as CivilDate;
}

/** Returns the number of days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: CivilDate, to: CivilDate): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** Returns the number of days in a month of the Gregorian calendar. `month` is 1 for January. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Formats a date for display: `November 21, 2026`. */
export function formatDate(date: CivilDate, locale: string): string {
  let format = formatCache.get(locale);
  if (!format) formatCache.set(locale, (format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })));
  return format.format(new Date(`${date}T00:00:00Z`));
}

/**
 * Returns the date of an instant in a time zone.
 *
 * @param at - Milliseconds since 1970-01-01 UTC, or an RFC 3339 timestamp.
 * @param timeZone - IANA name, such as `America/New_York`.
 * @throws RangeError if the time zone is unknown.
 */
export function dateIn(at: number | string, timeZone: string): CivilDate {
  // Swedish dates have this format.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has this form
  return (dateInCache[timeZone] ??= new Intl.DateTimeFormat('sv', { timeZone })).format(new Date(at)) as CivilDate;
}

/** By time zone. */
const dateInCache: Record<string, Intl.DateTimeFormat> = {};

/** Creating a formatter costs about a hundred times as much as using it. */
const formatCache = new Map<string, Intl.DateTimeFormat>();

/** Returns a person's age in whole years on `day`. */
export function ageOn(birthday: CivilDate, day: CivilDate): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
  return day.slice(5) < birthday.slice(5) ? years - 1 : years;
}

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
