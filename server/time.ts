/**
 * A moment as RFC 3339 in UTC with microseconds, `2026-11-21T09:30:00.000000Z`.
 *
 * Fixed in width, so that text order is time order in every database.
 */
export type Instant = string;

/** Where the service gets the time from. */
export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => instantOf(Date.now()) };

export interface MovableClock extends Clock {
  moveTo(now: Instant): void;
}

/** A live service's clock. */
export const unmovableClock: MovableClock = {
  ...systemClock,
  moveTo: () => {
    throw new Error('The clock of a live service cannot be moved');
  },
};

/** A clock for the sandbox: it runs like the system's, from wherever it was last moved to. */
export function movableClock(): MovableClock {
  let offsetMs = 0;
  return {
    now: () => instantOf(Date.now() + offsetMs),
    moveTo: (now) => {
      offsetMs = epochMs(now) - Date.now();
    },
  };
}

/** @param milliseconds - Since 1970-01-01 UTC. */
export function instantOf(milliseconds: number): Instant {
  // Many requests ask for the time within the same millisecond.
  if (milliseconds !== last.milliseconds) {
    last = { milliseconds, instant: `${new Date(milliseconds).toISOString().slice(0, -1)}000Z` };
  }
  return last.instant;
}

let last: { milliseconds: number; instant: Instant } = { milliseconds: 0, instant: '1970-01-01T00:00:00.000000Z' };

export function epochMs(instant: Instant): number {
  return Date.parse(instant);
}

/** A moment of RFC 3339, in whatever offset, as an `Instant`. What is finer than a microsecond is left out. */
export function microsecondsOf(timestamp: string): Instant {
  const fraction = /\.(\d+)/.exec(timestamp)?.[1] ?? '';
  const seconds = new Date(timestamp).toISOString().slice(0, 19);
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/** Ends with the year 9999: what is later could not be written in the same width, and would sort before everything. */
export function plusMs(instant: Instant, milliseconds: number): Instant {
  return instantOf(Math.min(epochMs(instant) + milliseconds, LAST_MS));
}

const LAST_MS = Date.UTC(10_000, 0) - 1;

export function plusDays(instant: Instant, days: number): Instant {
  return plusMs(instant, days * DAY_MS);
}

/** The civil date in UTC, `2026-11-21`. */
export function dateOf(instant: Instant): string {
  return instant.slice(0, 10);
}

/** How far American Samoa, the US time zone where each day ends last, is behind UTC. It has no daylight saving time. */
const LAST_US_ZONE_MS = 11 * 3_600_000;

/** Today's date in the US time zone where each day ends last. */
export function lastUsDate(now: Instant): string {
  return dateOf(plusMs(now, -LAST_US_ZONE_MS));
}

/** The moment at which a civil date has ended in every US time zone. */
export function lastUsDayEnd(date: string): Instant {
  return plusMs(`${date}T00:00:00.000000Z`, DAY_MS + LAST_US_ZONE_MS);
}

export const DAY_MS = 86_400_000;
