import { addDays, type CivilDate } from '../../../shared/dates.ts';
import { LRUCache } from 'lru-cache';
import { countCarts } from '../../purchases/carts/store.ts';
import type { Query } from '../../db/database.ts';
import type { Mode } from '../../base/mode.ts';
import { HOUR_MS, type Instant, plusMs, startOfDayIn, dateIn } from '../../base/time.ts';
import { sumPurchases } from '../../purchases/transactions/store.ts';
import { countEvents } from '../../messages/webhooks/store.ts';

/** Numbers of checkouts, decisions and purchases of a merchant on a day. */
export interface DayFigures {
  day: CivilDate;
  /** Checkouts that were started: carts that were created. */
  carts: number;
  /** Decisions of lenders about applications. */
  approved: number;
  denied: number;
  /** Signed purchases and their total, without later cancels and refunds. */
  purchases: number;
  purchasedCents: number;
}

/** The last day is not over. Decisions are events, which are deleted after 30 days. */
export const FIGURE_DAYS = 28;

/**
 * Figures of days that are over, by merchant, time zone and day. They do not change, because rows are created with the current time. A
 * sandbox has none, because its clock can be moved back, and processes would show different figures. One takes about 300 bytes
 * (decisions/0068).
 */
const endedDays = new LRUCache<string, DayFigures>({ max: 50_000 });

/** Time after a day in which writes that began on it have ended. */
const COMMIT_MS = HOUR_MS;

/**
 * Returns the figures of the last days of a merchant, the oldest first.
 *
 * Each is counted on the day on which it happened. The time of decisions is real, even if the sandbox's clock was moved.
 *
 * @param timeZone - Of the days, such as `America/New_York`.
 */
export async function readDays(
  { query, mode }: { query: Query; mode: Mode },
  merchantId: string,
  timeZone: string,
  now: Instant,
): Promise<DayFigures[]> {
  const today = dateIn(now, timeZone);
  const days = Array.from({ length: FIGURE_DAYS }, (_, index) => addDays(today, index + 1 - FIGURE_DAYS));
  const keyOf = (day: CivilDate) => `${merchantId} ${timeZone} ${day}`;
  const found = new Map(days.map((day) => [day, endedDays.get(keyOf(day))]));
  const missing = days.filter((day) => !found.get(day));
  const periods = missing.map((day) => ({
    from: startOfDayIn(day, timeZone),
    before: startOfDayIn(addDays(day, 1), timeZone),
  }));
  const [carts, approved, denied, purchases] = await Promise.all([
    countCarts(query, merchantId, periods),
    countEvents(query, merchantId, 'application.approved', periods),
    countEvents(query, merchantId, 'application.denied', periods),
    sumPurchases(query, merchantId, periods),
  ]);
  for (const [index, day] of missing.entries()) {
    const { count, totalCents } = purchases[index]!;
    const decisions = { approved: approved[index]!, denied: denied[index]! };
    const figures = { day, carts: carts[index]!, ...decisions, purchases: count, purchasedCents: totalCents };
    found.set(day, figures);
    const isOver = plusMs(periods[index]!.before, COMMIT_MS) < now;
    if (isOver && mode === 'live') endedDays.set(keyOf(day), figures);
  }
  return days.map((day) => found.get(day)!);
}

export function sumDays(days: readonly DayFigures[]): Omit<DayFigures, 'day'> {
  const sum = (name: Exclude<keyof DayFigures, 'day'>) => days.reduce((total, day) => total + day[name], 0);
  return {
    carts: sum('carts'),
    approved: sum('approved'),
    denied: sum('denied'),
    purchases: sum('purchases'),
    purchasedCents: sum('purchasedCents'),
  };
}
