import { describe, expect, it } from 'vitest';
import { retryWaitMs, retryWaitsMs } from '../../../server/notifications/deliver.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

describe('the wait after a failed attempt', () => {
  it.each([
    [1, 5 * second],
    [2, 5 * minute],
    [3, 30 * minute],
    [4, 2 * hour],
    [5, 5 * hour],
    [6, 10 * hour],
    [7, 14 * hour],
    [8, 20 * hour],
    [9, 24 * hour],
  ])('number %d is %d ms, give or take a tenth', (attempts, waitMs) => {
    expect(retryWaitMs(attempts, 0.5)).toBe(waitMs);
    expect(retryWaitMs(attempts, 0)).toBe(Math.round(0.9 * waitMs));
    expect(retryWaitMs(attempts, 1)).toBe(Math.round(1.1 * waitMs));
  });

  it.each([10, 11, 1_000])('there is no retry after attempt %d', (attempts) => {
    expect(retryWaitMs(attempts, 0.5)).toBeUndefined();
  });

  it('grows each time [CHOICE-35]', () => {
    expect(retryWaitsMs.toSorted((a, b) => a - b)).toEqual(retryWaitsMs);
  });

  it('adds up to slightly more than three days [CHOICE-35]', () => {
    const days = retryWaitsMs.reduce((sum, waitMs) => sum + waitMs, 0) / (24 * hour);

    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(3.25);
  });
});

describe('the wait of Retry-After', () => {
  const waitOf = (retryAfterMs: number, sinceFirstMs: number, attempts = 1) =>
    retryWaitMs(attempts, 0.5, { retryAfterMs, sinceFirstMs });

  it.each([
    ['is kept when it is longer than ours', 10 * minute, 0, 10 * minute],
    ['never makes ours shorter', 1 * second, 0, 5 * second],
    ['is ignored when it is zero', 0, 0, 5 * second],
    ['ends three days after the first attempt', 1_000 * hour, 0, 72 * hour],
    ['takes no more than is left of three days', 1_000 * hour, 70 * hour, 2 * hour],
    ['is not heard when three days are over', 1_000 * hour, 72 * hour, 5 * second],
    ['is not heard long after', 1_000 * hour, 500 * hour, 5 * second],
  ])('%s', (_what, retryAfter, sinceFirst, expected) => {
    expect(waitOf(retryAfter, sinceFirst)).toBe(expected);
  });

  it('makes no eleventh attempt', () => {
    expect(waitOf(hour, 0, 10)).toBeUndefined();
  });
});
