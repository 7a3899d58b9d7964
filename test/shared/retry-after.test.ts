import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../shared/retry-after.ts';

describe('retryAfterMs', () => {
  const nowMs = Date.UTC(2026, 10, 21, 12);

  it.each<[string | string[] | null | undefined, number | undefined]>([
    ['0', 0],
    ['2', 2_000],
    [' 120 ', 120_000],
    ['2026', 2_026_000],
    ['999999999', 999_999_999_000],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['9999999999', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['soon GMT', undefined],
    ['2026-11-21', undefined],
    ['2026-11-21T13:00:00Z', undefined],
    ['', undefined],
    [['1', '2'], undefined],
    [null, undefined],
    [undefined, undefined],
  ])('parses %j as %s', (header, expected) => {
    expect(retryAfterMs(header, nowMs)).toBe(expected);
  });
});
