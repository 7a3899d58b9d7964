import { describe, expect, it } from 'vitest';
import { isDue, isDueForUnknownKey, isUsable } from '../../../server/tokens/remote-keys.ts';

const nowMs = 1_000_000_000;
const second = 1_000;
const minute = 60_000;
const hour = 3_600_000;

describe('Keys of a trusted issuer', () => {
  it.each([
    [
      { fetchedAtMs: undefined, failedAtMs: undefined },
      { due: true, dueForUnknown: true, usable: false },
    ],
    [
      { fetchedAtMs: nowMs, failedAtMs: undefined },
      { due: false, dueForUnknown: false, usable: true },
    ],
    [
      { fetchedAtMs: nowMs - 29 * second, failedAtMs: undefined },
      { due: false, dueForUnknown: false, usable: true },
    ],
    [
      { fetchedAtMs: nowMs - 30 * second, failedAtMs: undefined },
      { due: false, dueForUnknown: true, usable: true },
    ],
    [
      { fetchedAtMs: nowMs - 10 * minute, failedAtMs: undefined },
      { due: true, dueForUnknown: true, usable: true },
    ],
    [
      { fetchedAtMs: nowMs - 10 * minute, failedAtMs: nowMs - 29 * second },
      { due: false, dueForUnknown: false, usable: true },
    ],
    [
      { fetchedAtMs: nowMs - 10 * minute, failedAtMs: nowMs - 30 * second },
      { due: true, dueForUnknown: true, usable: true },
    ],
    [
      { fetchedAtMs: nowMs - 24 * hour, failedAtMs: nowMs - 6 * second },
      { due: true, dueForUnknown: false, usable: false },
    ],
    [
      { fetchedAtMs: undefined, failedAtMs: nowMs - 4 * second },
      { due: false, dueForUnknown: false, usable: false },
    ],
    [
      { fetchedAtMs: undefined, failedAtMs: nowMs - 5 * second },
      { due: true, dueForUnknown: false, usable: false },
    ],
    // After the clock was set back.
    [
      { fetchedAtMs: nowMs + hour, failedAtMs: undefined },
      { due: true, dueForUnknown: true, usable: false },
    ],
  ])('that were fetched or failed at %j, at the time 1,000,000,000 ms, are %j', (age, { due, dueForUnknown, usable }) => {
    expect([isDue(age, nowMs), isDueForUnknownKey(age, nowMs), isUsable(age, nowMs)]).toEqual([due, dueForUnknown, usable]);
  });
});
