import { describe, expect, it } from 'vitest';
import { isRetryable, merchantOutcome, type Outcome, retryDelayMs } from '../../../shared/client/outcomes.ts';

const errorBody = (code?: string, description = 'No') => ({ description, code });
const DECLINE = "There's an issue with authorizing the credit card portion";
const invalidId = errorBody(undefined, 'Transaction ID was invalid');

describe('An attempt', () => {
  it.each<[number, { description: string; code: string | undefined }, Outcome, boolean]>([
    [408, errorBody('request-timeout'), 'no-effect', true],
    [429, errorBody('rate-limited'), 'no-effect', true],
    [503, errorBody(), 'unknown', true],
    [503, errorBody('database-unavailable'), 'unknown', true],
    [500, errorBody('fault'), 'unknown', true],
    [500, errorBody(), 'unknown', true],
    [500, errorBody('unknown-code'), 'unknown', true],
    [409, errorBody('idempotency-key-in-use'), 'in-progress', true],
    [500, errorBody('changed-meanwhile'), 'no-effect', true],
    [409, errorBody('changed-meanwhile'), 'no-effect', true],
    [404, errorBody('transaction-not-found'), 'rejected', false],
    [402, errorBody('card-declined'), 'rejected', false],
    [409, errorBody('unknown-code'), 'rejected', false],
    [422, errorBody('idempotency-key-reused'), 'rejected', false],
    [501, errorBody('not-configured'), 'rejected', false],
    [500, errorBody('wrong-state'), 'rejected', false],
    [500, invalidId, 'rejected', false],
    [500, { ...invalidId, code: 'fault' }, 'unknown', true],
    [500, errorBody(undefined, 'Transaction ID was invalid.'), 'unknown', true],
    [500, errorBody(undefined, `${DECLINE} of the order.`), 'rejected', false],
    [500, errorBody('fault', DECLINE), 'unknown', true],
    [500, errorBody('card-declined'), 'rejected', false],
    [400, errorBody('invalid-request'), 'rejected', false],
    [401, errorBody('unauthenticated'), 'no-effect', false],
    [403, errorBody('https-required'), 'no-effect', false],
  ])('with status %i and body %j has the outcome %s, and is retried: %s', (status, body, outcome, isRetried) => {
    expect(merchantOutcome(status, body)).toBe(outcome);
    expect(isRetryable(outcome, status)).toBe(isRetried);
  });
});

describe('An attempt without an error body', () => {
  it.each([undefined, 408, 429, 500, 502, 503, 504])('with status %s is retried', (status) => {
    expect(isRetryable('unknown', status)).toBe(true);
  });

  it.each([302, 404, 409])('with status %s is not retried', (status) => {
    expect(isRetryable('unknown', status)).toBe(false);
  });
});

describe('The wait before the next attempt', () => {
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
