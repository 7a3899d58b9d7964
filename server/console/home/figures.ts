import { LRUCache } from 'lru-cache';
import { keysOf } from '../../../shared/objects.ts';
import { addDays, addMonths, type CivilDate, daysBetween } from '../../../shared/dates.ts';
import type { Mode } from '../../base/mode.ts';
import { dateIn, HOUR_MS, type Instant, plusMs, startOfDayIn } from '../../base/time.ts';
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
type Unit = 'day' | 'month';

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

/** The database, the merchant and the time zone of figures. */
export interface FigureSource {
  query: Query;
  mode: Mode;
  merchantId: string;
  timeZone: string;
}

interface Span {
  day: CivilDate;
  before: CivilDate;
}

const NO_SALES: Sales = { purchases: 0, purchasedCents: 0, refundedCents: 0 };
const NO_STEPS: Steps = { started: 0, approved: 0, denied: 0, authorized: 0, settled: 0 };

/**
 * Figures of days and months that are over, by merchant, time zone and days. They do not change, because rows are created with the current
 * time. A sandbox has none, because its clock can be moved back, and processes would show different figures. One takes about 300 bytes
 * (decisions/0068).
 */
const endedSales = new LRUCache<string, Sales>({ max: 50_000 });
const endedSteps = new LRUCache<string, Steps>({ max: 50_000 });

/** Time after a day in which writes that began on it have ended. */
const COMMIT_MS = HOUR_MS;

/** Returns the figures of a range up to now, the oldest first. The last day or month is not over. */
export async function readFigures(source: FigureSource, range: RangeName, now: Instant): Promise<RangeFigures> {
  const { count, unit, hasSteps, hasStepsBefore } = RANGES[range];
  const today = dateIn(now, source.timeZone);
  const spans = spansOf(unit, 2 * count, today);
  const sales = await readSpans(endedSales, source, spans, now, readSales);
  const stepSpans = hasStepsBefore ? spans : hasSteps ? spans.slice(count) : [];
  const steps = await readSpans(endedSteps, source, stepSpans, now, readSteps);
  const withoutSteps = spans.length - stepSpans.length;
  const all = spans.map(({ day }, index) => ({ day, ...sales[index]!, ...(steps[index - withoutSteps] ?? NO_STEPS) }));
  return { current: all.slice(count), before: all.slice(0, count) };
}

/** Returns the last days or months up to today, the oldest first. */
function spansOf(unit: Unit, count: number, today: CivilDate): Span[] {
  return Array.from({ length: count }, (_, index) => {
    const back = count - 1 - index;
    if (unit === 'day') return { day: addDays(today, -back), before: addDays(today, 1 - back) };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the first day of a month
    const month = `${today.slice(0, 7)}-01` as CivilDate;
    return { day: addMonths(month, -back), before: addMonths(month, 1 - back) };
  });
}

/** The most days of a query. A query of a merchant with 1,500 purchases a day then takes at most 50 ms. */
const DAYS_OF_QUERY = 28;

/** Returns the figures of spans: from the cache, or else from the database. */
async function readSpans<T extends Sales | Steps>(
  ended: LRUCache<string, T>,
  source: FigureSource,
  spans: readonly Span[],
  now: Instant,
  read: (source: FigureSource, periods: readonly Period[]) => Promise<T[]>,
): Promise<T[]> {
  const { mode, merchantId, timeZone } = source;
  const keyOf = ({ day, before }: Span) => `${merchantId} ${timeZone} ${day} ${before}`;
  const found = new Map(spans.map((span) => [span, ended.get(keyOf(span))]));
  const missing = spans.filter((span) => !found.get(span));
  const size = missing[0] ? Math.ceil(DAYS_OF_QUERY / daysBetween(missing[0].day, missing[0].before)) : 1;
  for (let start = 0; start < missing.length; start += size) {
    const part = missing.slice(start, start + size);
    const periods = part.map(({ day, before }) => ({
      from: startOfDayIn(day, timeZone),
      before: startOfDayIn(before, timeZone),
    }));
    const figures = await read(source, periods);
    for (const [index, span] of part.entries()) {
      found.set(span, figures[index]);
      const isOver = plusMs(periods[index]!.before, COMMIT_MS) < now;
      if (isOver && mode === 'live') ended.set(keyOf(span), figures[index]!);
    }
  }
  return spans.map((span) => found.get(span)!);
}

async function readSales({ query, merchantId }: FigureSource, periods: readonly Period[]): Promise<Sales[]> {
  const purchases = await sumPurchases(query, merchantId, periods);
  const refunds = await sumRefunds(query, merchantId, periods);
  return purchases.map(({ count, sum }, index) => ({
    purchases: count,
    purchasedCents: sum,
    refundedCents: refunds[index]!,
  }));
}

async function readSteps(source: FigureSource, periods: readonly Period[]): Promise<Steps[]> {
  const { query, merchantId } = source;
  const started = await countCarts(query, merchantId, periods);
  const counts: number[][] = [];
  for (const type of ['application.approved', 'application.denied', 'transaction.authorized', 'transaction.settled'] as const) {
    counts.push(await countEvents(source, merchantId, type, periods));
  }
  return started.map((count, index) => {
    const [approved, denied, authorized, settled] = counts.map((each) => each[index]!);
    return { started: count, approved: approved!, denied: denied!, authorized: authorized!, settled: settled! };
  });
}

export function sumFigures(figures: readonly Figures[]): Sales & Steps {
  const sum = { ...NO_SALES, ...NO_STEPS };
  for (const one of figures) for (const name of keysOf(sum)) sum[name] += one[name];
  return sum;
}
