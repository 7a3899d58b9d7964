import { addDays, type CivilDate, dateIn } from '../../shared/dates.ts';
import { countCarts } from '../carts/store.ts';
import type { Query } from '../db/database.ts';
import { type Instant, startOfDayIn } from '../time.ts';
import { sumPurchases } from '../transactions/store.ts';
import { countEvents } from '../webhooks/store.ts';

/** What buyers of a merchant did on a day. */
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
 * Returns the figures of the last days of a merchant, the oldest first.
 *
 * Each is counted on the day on which it happened. The time of decisions is real, even if the sandbox's clock was moved.
 *
 * @param timeZone - Of the days, such as `America/New_York`.
 */
export async function readDays(query: Query, merchantId: string, timeZone: string, now: Instant): Promise<DayFigures[]> {
  const today = dateIn(now, timeZone);
  const days = Array.from({ length: FIGURE_DAYS }, (_, index) => addDays(today, index + 1 - FIGURE_DAYS));
  const starts = [...days, addDays(today, 1)].map((day) => startOfDayIn(day, timeZone));
  const periods = days.map((_, index) => ({ from: starts[index]!, before: starts[index + 1]! }));
  const [carts, approved, denied, purchases] = await Promise.all([
    countCarts(query, merchantId, periods),
    countEvents(query, merchantId, 'application.approved', periods),
    countEvents(query, merchantId, 'application.denied', periods),
    sumPurchases(query, merchantId, periods),
  ]);
  return days.map((day, index) => ({
    day,
    carts: carts[index]!,
    approved: approved[index]!,
    denied: denied[index]!,
    purchases: purchases[index]!.count,
    purchasedCents: purchases[index]!.sum,
  }));
}

/** Returns the sums of days. */
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
