import type { Flow } from '../../../shared/apr/loan.ts';
import { dayInMonth } from './random-loans.ts';
import { type CivilDate, addDays } from '../../../shared/dates.ts';

/**
 * Returns `count` flows of `cents` at intervals of `months`. A month without the day of `first` uses its last day: the second flow of
 * `monthly('2026-01-31', 3, 100)` is on February 28.
 */
export function monthly(first: CivilDate, count: number, cents: number, months = 1): Flow[] {
  const day = Number(first.slice(8));
  return Array.from({ length: count }, (_, index) => ({ date: dayInMonth(first, index * months, day), cents }));
}

/** Returns `count` flows of `cents` at intervals of `days`. */
export function everyDays(days: number, first: CivilDate, count: number, cents: number): Flow[] {
  return Array.from({ length: count }, (_, index) => ({ date: addDays(first, index * days), cents }));
}

/** Returns one flow. */
export function on(date: CivilDate, cents: number): Flow {
  return { date, cents };
}
