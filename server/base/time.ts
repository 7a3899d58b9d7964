import { LRUCache } from 'lru-cache';
import { type CivilDate, dateIn as uncachedDateIn } from '../../shared/dates.ts';

/**
 * A time as RFC 3339 in UTC with microseconds, `2026-11-21T09:30:00.000000Z`.
 *
 * The width is fixed, so that instants sort as text.
 */
export type Instant = `${CivilDate}T${string}Z`;

/** In a row that is saved, stands for the time of the database at the write (decisions/0045). An object, because a column may have any text. */
export const DATABASE_NOW: { readonly timeOf: 'write' } = { timeOf: 'write' };

export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => instantOf(Date.now()) };

export interface MovableClock extends Clock {
  moveTo(now: Instant): void;
}

/** The clock of a live service. */
export const unmovableClock: MovableClock = {
  ...systemClock,
  moveTo: () => {
    throw new Error('The clock of a live service cannot be moved');
  },
};

/**
 * The clock of a sandbox, which runs from the time that it was moved to.
 *
 * @param onMoved - Called with the difference from the system clock.
 */
export function movableClock(onMoved: (offsetMs: number) => void = () => undefined): MovableClock {
  let offsetMs = 0;
  return {
    now: () => instantOf(Date.now() + offsetMs),
    moveTo: (now) => {
      offsetMs = epochMs(now) - Date.now();
      onMoved(offsetMs);
    },
  };
}

/** @param milliseconds - Since 1970-01-01 UTC. @param microseconds - Three further digits. */
export function instantOf(milliseconds: number, microseconds = '000'): Instant {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Date` returns a date as text
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${microseconds}Z` as Instant;
}

export function epochMs(instant: Instant): number {
  return Date.parse(instant);
}

/**
 * Converts an RFC 3339 timestamp with any offset. Truncates to microseconds. A leap second, which clocks of computers do not have, becomes
 * the microsecond before it. In UTC, the first and the last hours of the years 0 and 9999 can be in another year, which an instant cannot.
 */
export function microsecondsOf(timestamp: string): Instant {
  const posix = timestamp.replace(/:60(\.\d+)?/, ':59.999999');
  const fraction = /\.(\d+)/.exec(posix)?.[1] ?? '';
  const milliseconds = Math.min(Math.max(Date.parse(posix), FIRST_MS), LAST_MS);
  return instantOf(milliseconds, fraction.slice(3, 6).padEnd(3, '0'));
}

/** Adds milliseconds. The result is at most the end of the year 9999, because later years have five digits. */
export function plusMs(instant: Instant, milliseconds: number): Instant {
  return instantOf(Math.min(epochMs(instant) + milliseconds, LAST_MS));
}

const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.UTC(10_000, 0) - 1;

const LAST_INSTANT: Instant = '9999-12-31T23:59:59.999999Z';

/** Returns the next instant, a microsecond later; undefined after the year 9999. */
export function nextInstant(instant: Instant): Instant | undefined {
  if (instant === LAST_INSTANT) return undefined;
  const microseconds = Number(instant.slice(-4, -1)) + 1;
  return instantOf(epochMs(instant) + Math.floor(microseconds / 1_000), String(microseconds % 1_000).padStart(3, '0'));
}

export function plusDays(instant: Instant, days: number): Instant {
  return plusMs(instant, days * DAY_MS);
}

/**
 * Returns the date of an instant in a time zone, like `dateIn` of `shared/dates.ts`. Caches it: asking `Intl` takes 5 µs, and most operations
 * ask for the dates of a few instants.
 *
 * @param at - Milliseconds since 1970-01-01 UTC, or an instant.
 * @throws RangeError if the time zone is unknown.
 */
export function dateIn(at: number | Instant, timeZone: string): CivilDate {
  const ms = typeof at === 'number' ? at : epochMs(at);
  if (ms < ALIGNED_SINCE_MS) return uncachedDateIn(ms, timeZone);
  const key = `${timeZone} ${Math.floor(ms / QUARTER_HOUR_MS)}`;
  return cachedDates.memo(key, { context: { ms, timeZone } });
}

/** Since 2012, every date has begun at a quarter of an hour in UTC, in all time zones. */
const QUARTER_HOUR_MS = 900_000;
const ALIGNED_SINCE_MS = Date.UTC(2012, 0);

/** By time zone and quarter of an hour. */
const cachedDates = new LRUCache<string, CivilDate, { ms: number; timeZone: string }>({
  max: 10_000,
  memoMethod: (_key, _stale, { context: { ms, timeZone } }) => uncachedDateIn(ms, timeZone),
});

/** Returns the first instant of a day in UTC. */
export function startOfUtcDay(date: CivilDate): Instant {
  return `${date}T00:00:00.000000Z`;
}

/** Returns the first instant of a day in a time zone. */
export function startOfDayIn(date: CivilDate, timeZone: string): Instant {
  // Searched by bisection, because a clock that is changed at midnight skips or repeats a part of the day. Time zones are up to 14 hours from
  // UTC, by whole minutes: at `beforeMs`, the day has not begun in any of them, and at `startMs`, it has begun in all.
  const noonMs = Date.parse(`${date}T12:00:00Z`);
  let beforeMs = noonMs - DAY_MS - 3 * HOUR_MS;
  let startMs = noonMs + 3 * HOUR_MS;
  while (startMs - beforeMs > MINUTE_MS) {
    const middleMs = beforeMs + Math.floor((startMs - beforeMs) / 2 / MINUTE_MS) * MINUTE_MS;
    if (dateIn(middleMs, timeZone) < date) beforeMs = middleMs;
    else startMs = middleMs;
  }
  return instantOf(startMs);
}

export function isInstant(when: CivilDate | Instant): when is Instant {
  return when.includes('T');
}

/** American Samoa, the last US time zone in which a day ends, is 11 hours behind UTC and has no daylight saving time. */
const LAST_US_ZONE_MS = 11 * 3_600_000;

/** Returns the current date in the last US time zone. */
export function lastUsDate(now: Instant): CivilDate {
  return dateIn(plusMs(now, -LAST_US_ZONE_MS), 'UTC');
}

/** Returns the instant at which a date has ended in every US time zone. */
export function lastUsDayEnd(date: CivilDate): Instant {
  return plusMs(startOfUtcDay(date), DAY_MS + LAST_US_ZONE_MS);
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
