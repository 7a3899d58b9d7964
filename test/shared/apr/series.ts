import type { Flow } from '../../../shared/apr/loan.ts';
import { dayInMonth, plusDays } from './made-up-loans.ts';

/** The same amount on `count` dates, so many months apart: the second of `monthly('2026-01-31', 3, 100)` is in February. */
export function monthly(first: string, count: number, cents: number, months = 1): Flow[] {
  const day = Number(first.slice(8));
  return Array.from({ length: count }, (_, index) => ({ date: dayInMonth(first, index * months, day), cents }));
}

/** The same amount on `count` dates, so many days apart. */
export function everyDays(days: number, first: string, count: number, cents: number): Flow[] {
  return Array.from({ length: count }, (_, index) => ({ date: plusDays(first, index * days), cents }));
}

/** One amount on one date. */
export function on(date: string, cents: number): Flow {
  return { date, cents };
}
