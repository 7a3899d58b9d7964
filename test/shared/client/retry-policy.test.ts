import { describe, expect, it } from 'vitest';
import { isRetryable, merchantOutcome, type Outcome, retryDelayMs } from '../../../shared/client/outcomes.ts';

const errorBody = (code?: string, description = 'No') => ({ description, code });
const DECLINE = "There's an issue with authorizing the credit card portion";
const invalidId = errorBody(undefined, 'Transaction ID was invalid');

describe('an attempt', () => {
  it.each<[string, number, { description: string; code: string | undefined }, Outcome, boolean]>([
    ['408, our request came too slowly', 408, errorBody('request-timeout'), 'no-effect', true],
    ['429 with the error body', 429, errorBody('rate-limited'), 'no-effect', true],
    ['503 with the error body', 503, errorBody(), 'unknown', true],
    ['500, a fault', 500, errorBody('fault'), 'unknown', true],
    ['500 with an error body without a code', 500, errorBody(), 'unknown', true],
    ['500 with a code of a newer service', 500, errorBody('something-else'), 'unknown', true],
    ['409, the key is in use', 409, errorBody('idempotency-key-in-use'), 'in-progress', true],
    ['500, a race was lost', 500, errorBody('changed-meanwhile'), 'no-effect', true],
    ['409 of another kind', 409, errorBody('something-else'), 'rejected', false],
    ['422, the key was used for something else', 422, errorBody('idempotency-key-reused'), 'rejected', false],
    ['501, no text message provider', 501, errorBody('not-configured'), 'rejected', false],
    ['500, a decision', 500, errorBody('wrong-state'), 'rejected', false],
    ['500, an invalid id', 500, invalidId, 'rejected', false],
    ['500, a fault in the words of an invalid id', 500, { ...invalidId, code: 'fault' }, 'unknown', true],
    ['500, nearly an invalid id', 500, errorBody(undefined, 'Transaction ID was invalid.'), 'unknown', true],
    ['500, a declined card by its words', 500, errorBody(undefined, `${DECLINE} of the order.`), 'rejected', false],
    ['500, a fault in the words of a decline', 500, errorBody('fault', DECLINE), 'unknown', true],
    ['500, a declined card', 500, errorBody('card-declined'), 'rejected', false],
    ['400', 400, errorBody('invalid-request'), 'rejected', false],
    ['401', 401, errorBody('unauthenticated'), 'no-effect', false],
    ['403', 403, errorBody('https-required'), 'no-effect', false],
  ])('that ends with %s (%s, %j) is %s, and retried: %s', (_what, status, body, outcome, isRetried) => {
    expect(merchantOutcome(status, body)).toBe(outcome);
    expect(isRetryable(outcome, status)).toBe(isRetried);
  });
});

describe('an attempt without an error body', () => {
  it.each([undefined, 408, 429, 500, 502, 503, 504])('with status %s is retried', (status) => {
    expect(isRetryable('unknown', status)).toBe(true);
  });

  it.each([302, 404, 409])('with status %s is not retried', (status) => {
    expect(isRetryable('unknown', status)).toBe(false);
  });
});

describe('the wait before the next attempt', () => {
  it('doubles up to eight seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map((attempts) => retryDelayMs(attempts, 0, 'unknown'))).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
    ]);
  });

  it('grows up to two seconds while an earlier attempt is in progress', () => {
    expect([1, 4, 5, 50].map((attempts) => retryDelayMs(attempts, 0, 'in-progress'))).toEqual([250, 2_000, 2_000, 2_000]);
    expect(retryDelayMs(1, 0, 'in-progress', 10_000)).toBe(10_000);
  });

  it('has random jitter over its second half', () => {
    expect([0, 0.5, 1].map((random) => retryDelayMs(2, random, 'unknown'))).toEqual([500, 375, 250]);
  });

  it('is never shorter than Retry-After', () => {
    expect(retryDelayMs(1, 1, 'unknown', 3_000)).toBe(3_000);
    expect(retryDelayMs(5, 0, 'unknown', 3_000)).toBe(4_000);
  });
});
