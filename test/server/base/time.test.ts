import { describe, expect, it } from 'vitest';
import { dateIn as uncachedDateIn } from '../../../shared/dates.ts';
import { dateIn, instantOf } from '../../../server/base/time.ts';
import { seededRandom } from '../../support/random.ts';

const QUARTER_HOUR_MS = 900_000;

describe('The cached date of an instant', () => {
  it('is that of Intl in every time zone, also for the other instants of a quarter of an hour, and before 2012', () => {
    const random = seededRandom(20_261_129);
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      for (let turn = 0; turn < 20; turn += 1) {
        const start = Math.floor(random.integer(Date.UTC(1970, 0), Date.UTC(2040, 0)) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
        for (const ms of [start, start + QUARTER_HOUR_MS - 1, start + 60_000]) {
          expect([timeZone, ms, dateIn(ms, timeZone)]).toEqual([timeZone, ms, uncachedDateIn(ms, timeZone)]);
        }
      }
    }
  });

  it('changes at midnight on the days when clocks change', () => {
    expect(dateIn(instantOf(Date.UTC(2026, 10, 1, 3, 59, 59, 999)), 'America/New_York')).toBe('2026-10-31');
    expect(dateIn(instantOf(Date.UTC(2026, 10, 1, 4)), 'America/New_York')).toBe('2026-11-01');
    expect(dateIn(instantOf(Date.UTC(2026, 10, 2, 4, 59, 59, 999)), 'America/New_York')).toBe('2026-11-01');
    expect(dateIn(instantOf(Date.UTC(2026, 10, 2, 5)), 'America/New_York')).toBe('2026-11-02');
  });

  it('is an error for an unknown time zone, as often as it is asked', () => {
    for (const at of [0, Date.UTC(2026, 0), Date.UTC(2026, 0)]) {
      expect(() => dateIn(at, 'America/Springfield')).toThrow(RangeError);
    }
  });
});
