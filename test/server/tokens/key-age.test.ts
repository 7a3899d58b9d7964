import { describe, expect, it } from 'vitest';
import { isDue, isDueForUnknownKey, isUsable } from '../../../server/tokens/remote-keys.ts';

const at = 1_000_000_000;
const [second, minute, hour] = [1_000, 60_000, 3_600_000];

describe('Keys of an outside issuer', () => {
  it.each([
    [
      { fetchedAtMs: undefined, failedAtMs: undefined },
      { due: true, dueForUnknown: true, usable: false },
    ],
    [
      { fetchedAtMs: at, failedAtMs: undefined },
      { due: false, dueForUnknown: false, usable: true },
    ],
    [
      { fetchedAtMs: at - 29 * second, failedAtMs: undefined },
      { due: false, dueForUnknown: false, usable: true },
    ],
    [
      { fetchedAtMs: at - 30 * second, failedAtMs: undefined },
      { due: false, dueForUnknown: true, usable: true },
    ],
    [
      { fetchedAtMs: at - 10 * minute, failedAtMs: undefined },
      { due: true, dueForUnknown: true, usable: true },
    ],
    [
      { fetchedAtMs: at - 10 * minute, failedAtMs: at - 29 * second },
      { due: false, dueForUnknown: false, usable: true },
    ],
    [
      { fetchedAtMs: at - 10 * minute, failedAtMs: at - 30 * second },
      { due: true, dueForUnknown: true, usable: true },
    ],
    [
      { fetchedAtMs: at - 24 * hour, failedAtMs: at - 6 * second },
      { due: true, dueForUnknown: false, usable: false },
    ],
    [
      { fetchedAtMs: undefined, failedAtMs: at - 4 * second },
      { due: false, dueForUnknown: false, usable: false },
    ],
    [
      { fetchedAtMs: undefined, failedAtMs: at - 5 * second },
      { due: true, dueForUnknown: false, usable: false },
    ],
    // A clock that was set back.
    [
      { fetchedAtMs: at + hour, failedAtMs: undefined },
      { due: true, dueForUnknown: true, usable: false },
    ],
  ])('with the age header %j are cached for %j', (age, { due, dueForUnknown, usable }) => {
    expect([isDue(age, at), isDueForUnknownKey(age, at), isUsable(age, at)]).toEqual([due, dueForUnknown, usable]);
  });
});
