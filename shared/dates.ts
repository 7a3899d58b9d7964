/** A civil date, `2026-11-21`: a day on the calendar, without a time or a zone. */
export type CivilDate = string;

/**
 * The same day of the month, `months` later; a day that month does not have becomes its last.
 *
 * Always count from the first date of a series: counted from one clamped date to the next, the 31st would stay a 28th.
 */
export function addMonths(date: CivilDate, months: number): CivilDate {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const monthsSinceYear0 = 12 * year + month - 1 + months;
  const [inYear, inMonth] = [Math.floor(monthsSinceYear0 / 12), (monthsSinceYear0 % 12) + 1];
  const inDay = Math.min(day, daysInMonth(inYear, inMonth));
  return `${String(inYear).padStart(4, '0')}-${String(inMonth).padStart(2, '0')}-${String(inDay).padStart(2, '0')}`;
}

/** The date `days` later. */
export function addDays(date: CivilDate, days: number): CivilDate {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

/** 28 to 31, by the Gregorian calendar; `month` is 1 for January. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A date as people read it: `November 21, 2026`. */
export function formatDate(date: CivilDate, locale = 'en-US'): string {
  let format = kept.get(locale);
  if (!format) kept.set(locale, (format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })));
  return format.format(new Date(`${date}T00:00:00Z`));
}

/** Kept, because building one costs a hundred times what using it does. */
const kept = new Map<string, Intl.DateTimeFormat>();

/** Whole years from a birthday to a day. */
export function ageOn(birthday: CivilDate, day: CivilDate): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
  return day.slice(5) < birthday.slice(5) ? years - 1 : years;
}
