import { describe, expect, it } from 'vitest';
import { retryWaitMs, retryWaitsOf } from '../../../server/messages/deliver.ts';

const second = 1_000;
const minute = 60_000;
const hour = 3_600_000;

describe('The wait after a failed attempt', () => {
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
    // They add up to slightly more than three days.
  ])('number %d is %d ms, plus or minus 10 %% [CHOICE-35]', (attempts, waitMs) => {
    expect(retryWaitMs('callback', attempts, 0.5)).toBe(waitMs);
    expect(retryWaitMs('callback', attempts, 0)).toBe(Math.round(0.9 * waitMs));
    expect(retryWaitMs('callback', attempts, 1)).toBe(Math.round(1.1 * waitMs));
  });

  it.each([10, 11, 1_000])('number %d is undefined, because there are ten attempts', (attempts) => {
    expect(retryWaitMs('callback', attempts, 0.5)).toBeUndefined();
  });
});

describe('The waits of an event for the lender', () => {
  it('increase from seconds to a day, and add up to 30 days', () => {
    const waits = retryWaitsOf('lender');
    const days = waits.reduce((sum, waitMs) => sum + waitMs, 0) / (24 * hour);

    expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
    expect(waits[0]).toBe(5 * second);
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.5);
  });
});

describe('The wait with Retry-After', () => {
  const waitOf = (retryAfterMs: number, sinceFirstMs: number, attempts = 1) =>
    retryWaitMs('callback', attempts, 0.5, { retryAfterMs, sinceFirstMs });

  it.each([
    ['is that of Retry-After if it is longer than the scheduled wait', 10 * minute, 0, 10 * minute],
    ['is the scheduled wait if Retry-After is shorter', 1 * second, 0, 5 * second],
    ['is the scheduled wait if Retry-After is zero', 0, 0, 5 * second],
    ['is at most three days', 1_000 * hour, 0, 72 * hour],
    ['ends at most three days after the first attempt', 1_000 * hour, 70 * hour, 2 * hour],
    ['is the scheduled wait three days after the first attempt', 1_000 * hour, 72 * hour, 5 * second],
    ['is the scheduled wait more than three days after the first attempt', 1_000 * hour, 500 * hour, 5 * second],
  ])('%s', (_title, retryAfterMs, sinceFirstMs, expected) => {
    expect(waitOf(retryAfterMs, sinceFirstMs)).toBe(expected);
  });

  it('is undefined after the tenth attempt', () => {
    expect(waitOf(hour, 0, 10)).toBeUndefined();
  });
});
