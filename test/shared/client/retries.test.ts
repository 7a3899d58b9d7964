import { describe, expect, it } from 'vitest';
import { isWorthRetrying, retryAfterMs, retryWaitMs } from '../../../shared/client/retries.ts';

describe('a call is made again', () => {
  it.each([
    ['no answer', undefined, false, undefined, true],
    ['408, our request came too slowly', 408, true, 'request-timeout', true],
    ['429', 429, false, undefined, true],
    ['429 with the error body', 429, true, 'rate-limited', true],
    ['503', 503, false, undefined, true],
    ['503 with the error body', 503, true, undefined, true],
    ['500 of something before the service', 500, false, undefined, true],
    ['502', 502, false, undefined, true],
    ['504', 504, false, undefined, true],
    ['409, the key is in use', 409, true, 'idempotency-key-in-use', true],
    ['500, a race was lost', 500, true, 'changed-meanwhile', true],
    ['409 of another kind', 409, true, 'something-else', false],
    ['409 without the error body', 409, false, undefined, false],
    ['422, the key was used for something else', 422, true, 'idempotency-key-reused', false],
    ['501, nobody to send a text', 501, true, 'not-configured', false],
    ['500, a decision', 500, true, 'wrong-state', false],
    ['500, an invalid id', 500, true, undefined, false],
    ['500, a declined card', 500, true, 'card-declined', false],
    ['400', 400, true, 'invalid-request', false],
    ['401', 401, true, 'unauthenticated', false],
    ['404 of something else', 404, false, undefined, false],
    ['302', 302, false, undefined, false],
  ])('after %s: %s, refused %s, code %s: %s', (_what, status, refused, code, expected) => {
    expect(isWorthRetrying({ status, refused, code })).toBe(expected);
  });
});

describe('the wait before the next attempt', () => {
  it('grows twofold up to eight seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map((attempts) => retryWaitMs(attempts, 0))).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
    ]);
  });

  it('is spread over its second half by chance', () => {
    expect([0, 0.5, 1].map((chance) => retryWaitMs(2, chance))).toEqual([500, 375, 250]);
  });

  it('is never less than what the service asked for', () => {
    expect(retryWaitMs(1, 1, 3_000)).toBe(3_000);
    expect(retryWaitMs(5, 0, 3_000)).toBe(4_000);
  });
});

describe('Retry-After', () => {
  const nowMs = Date.UTC(2026, 10, 21, 12);
  it.each([
    [null, undefined],
    ['', undefined],
    ['0', 0],
    ['2', 2_000],
    [' 120 ', 120_000],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['2026', 2_026_000],
    ['soon', undefined],
    ['9999999999', undefined],
    ['2026-11-21T13:00:00Z', undefined],
  ])('%j is %s ms', (header, expected) => {
    expect(retryAfterMs(header, nowMs)).toBe(expected);
  });
});
