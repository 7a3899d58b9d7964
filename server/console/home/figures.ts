import { LRUCache } from 'lru-cache';
import { keysOf } from '../../../shared/objects.ts';
import { addDays, addMonths, type CivilDate } from '../../../shared/dates.ts';
import type { Mode } from '../../base/mode.ts';
import { dateIn, DAY_MS, epochMs, HOUR_MS, type Instant, plusMs, startOfDayIn } from '../../base/time.ts';
import type { Query } from '../../db/database.ts';
import type { Period } from '../../db/periods.ts';
import { countEvents } from '../../messages/webhooks/store.ts';
import { countCarts } from '../../purchases/carts/store.ts';
import { sumRefunds } from '../../purchases/settlements/store.ts';
import { sumPurchases } from '../../purchases/transactions/store.ts';

/** The ranges of figures. Steps are events, which are deleted after 30 days: longer ranges have none, nor has the period before 28 days. */
export const RANGES = {
  '7d': { name: '7 days', count: 7, unit: 'day', hasSteps: true, hasStepsBefore: true },
  '28d': { name: '28 days', count: 28, unit: 'day', hasSteps: true, hasStepsBefore: false },
  '90d': { name: '90 days', count: 90, unit: 'day', hasSteps: false, hasStepsBefore: false },
  '12m': { name: '12 months', count: 12, unit: 'month', hasSteps: false, hasStepsBefore: false },
} as const satisfies Record<string, { name: string; count: number; unit: Unit; hasSteps: boolean; hasStepsBefore: boolean }>;
export type RangeName = keyof typeof RANGES;

/** Purchases on the day on which they were signed, without later changes, and refunds on the day on which they were made. */
export interface Sales {
  purchases: number;
  purchasedCents: number;
  /** Of the financed parts of purchases. */
  refundedCents: number;
}

/** Numbers of checkouts that reached a step. */
export interface Steps {
  /** Carts that were created. */
  started: number;
  /** Decisions of lenders about applications. */
  approved: number;
  denied: number;
  authorized: number;
  settled: number;
}

/** Figures of a day or a month. */
export interface Figures extends Sales, Steps {
  /** The first day. */
  day: CivilDate;
}

/** The figures of a range, and of the one before. Steps that are not shown are 0. */
export interface RangeFigures {
  current: Figures[];
  before: Figures[];
}

/** The database and the merchant of figures. */
export interface FigureSource {
  query: Query;
  mode: Mode;
  merchantId: string;
}

/** A day or a month. */
interface Span extends Period {
  /** The first day. */
  day: CivilDate;
}

type Unit = 'day' | 'month';

const NO_SALES: Sales = { purchases: 0, purchasedCents: 0, refundedCents: 0 };
const NO_STEPS: Steps = { started: 0, approved: 0, denied: 0, authorized: 0, settled: 0 };

/** Returns the figures of a range up to now in a time zone, the oldest first. The last day or month is not over. */
export async function readFigures(source: FigureSource, range: RangeName, now: Instant, timeZone: string): Promise<RangeFigures> {
  const { count, unit, hasSteps, hasStepsBefore } = RANGES[range];
  const spans = spansOf(unit, 2 * count, now, timeZone);
  const withoutSteps = hasStepsBefore ? 0 : hasSteps ? count : 2 * count;
  const sales = await readSales(source, spans, now);
  const steps = await readSteps(source, spans.slice(withoutSteps), now);
  const all = spans.map(({ day }, index) => ({ day, ...sales[index]!, ...(steps[index - withoutSteps] ?? NO_STEPS) }));
  return { current: all.slice(count), before: all.slice(0, count) };
}

/** Returns the last days or months up to now, the oldest first. */
export function spansOf(unit: Unit, count: number, now: Instant, timeZone: string): Span[] {
  const today = dateIn(now, timeZone);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the first day of a month
  const month = `${today.slice(0, 7)}-01` as CivilDate;
  const starts = Array.from({ length: count + 1 }, (_, index) => {
    const day = unit === 'day' ? addDays(today, index + 1 - count) : addMonths(month, index + 1 - count);
    return { day, from: startOfDayIn(day, timeZone) };
  });
  return starts.slice(0, -1).map((start, index) => ({ ...start, before: starts[index + 1]!.from }));
}

/** Time after a day in which writes that began on it have ended. */
const COMMIT_MS = HOUR_MS;

/** The longest time that is read at once. A query of a merchant with 1,500 purchases a day then takes at most 50 ms. */
const MAX_MS = 28 * DAY_MS;

/**
 * Returns a function that reads the figures of days or months with `read`. Those of days that are over are cached: they do not change, because rows are
 * created with the current time. A sandbox has no cache, because its clock can be moved back, and processes would show different figures.
 * Figures of a day take about 300 bytes (decisions/0068).
 *
 * @param isFinal - Returns false for figures that later changes of the rows may change.
 */
export function cachedFigures<T extends object>(
  read: (source: FigureSource, periods: readonly Period[]) => Promise<T[]>,
  isFinal: (figures: T) => boolean = () => true,
) {
  const ended = new LRUCache<string, T>({ max: 50_000 });
  return async (source: FigureSource, spans: readonly Span[], now: Instant): Promise<T[]> => {
    const keyOf = ({ from, before }: Span) => `${source.merchantId} ${from} ${before}`;
    const found = new Map(spans.map((span) => [span, ended.get(keyOf(span))]));
    const missing = spans.filter((span) => !found.get(span));
    const size = missing[0] ? Math.ceil(MAX_MS / (epochMs(missing[0].before) - epochMs(missing[0].from))) : 1;
    for (let start = 0; start < missing.length; start += size) {
      const part = missing.slice(start, start + size);
      for (const [index, figures] of (await read(source, part)).entries()) {
        const span = part[index]!;
        found.set(span, figures);
        const isOver = plusMs(span.before, COMMIT_MS) < now;
        if (isOver && source.mode === 'live' && isFinal(figures)) ended.set(keyOf(span), figures);
      }
    }
    return spans.map((span) => found.get(span)!);
  };
}

const readSales = cachedFigures<Sales>(async ({ query, merchantId }, periods) => {
  const purchases = await sumPurchases(query, merchantId, periods);
  const refunds = await sumRefunds(query, merchantId, periods);
  return purchases.map(({ count, sum }, index) => ({
    purchases: count,
    purchasedCents: sum,
    refundedCents: refunds[index]!,
  }));
});

const readSteps = cachedFigures<Steps>(async (source, periods) => {
  const { query, merchantId } = source;
  const counts = [await countCarts(query, merchantId, periods)];
  for (const type of ['application.approved', 'application.denied', 'transaction.authorized', 'transaction.settled'] as const) {
    counts.push(await countEvents(source, merchantId, type, periods));
  }
  return periods.map((_, index) => {
    const [started, approved, denied, authorized, settled] = counts.map((each) => each[index]!);
    return { started: started!, approved: approved!, denied: denied!, authorized: authorized!, settled: settled! };
  });
});

export function sumFigures(figures: readonly Figures[]): Sales & Steps {
  const sum = { ...NO_SALES, ...NO_STEPS };
  for (const one of figures) for (const name of keysOf(sum)) sum[name] += one[name];
  return sum;
}
