import type { Flow } from '../../../shared/apr/loan.ts';
import { dayInMonth, plusDays } from './random-loans.ts';

/** Returns `count` equal amounts at intervals of `months`. The second of `monthly('2026-01-31', 3, 100)` is in February. */
export function monthly(first: string, count: number, cents: number, months = 1): Flow[] {
  const day = Number(first.slice(8));
  return Array.from({ length: count }, (_, index) => ({ date: dayInMonth(first, index * months, day), cents }));
}

/** Returns `count` equal amounts at intervals of `days`. */
export function everyDays(days: number, first: string, count: number, cents: number): Flow[] {
  return Array.from({ length: count }, (_, index) => ({ date: plusDays(first, index * days), cents }));
}

/** Returns one amount on one date. */
export function on(date: string, cents: number): Flow {
  return { date, cents };
}
