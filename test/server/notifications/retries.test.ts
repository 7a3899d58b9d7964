import { describe, expect, it } from 'vitest';
import { retryWaitMs, retryWaitsMs } from '../../../server/notifications/retries.ts';

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

  it.each([10, 11, 1_000])('there is none after attempt %d', (attempts) => {
    expect(retryWaitMs(attempts, 0.5)).toBeUndefined();
  });

  it('grows each time [CHOICE-35]', () => {
    expect(retryWaitsMs.toSorted((a, b) => a - b)).toEqual(retryWaitsMs);
  });

  it('adds up to three days and a little [CHOICE-35]', () => {
    const days = retryWaitsMs.reduce((sum, waitMs) => sum + waitMs, 0) / (24 * hour);

    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(3.25);
  });
});
