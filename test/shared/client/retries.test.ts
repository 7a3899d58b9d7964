import { describe, expect, it } from 'vitest';
import { type Outcome, outcomeOf } from '../../../shared/client/outcomes.ts';
import { isWorthRetrying, retryWaitMs } from '../../../shared/client/retries.ts';

const refusal = (code?: string, description = 'No') => ({ description, code });
const DECLINE = "There's an issue with authorizing the credit card portion";
const invalidId = refusal(undefined, 'Transaction ID was invalid');

describe('an attempt', () => {
  it.each<[string, number | undefined, { description: string; code: string | undefined } | undefined, Outcome, boolean]>([
    ['no answer', undefined, undefined, 'unknown', true],
    ['408, our request came too slowly', 408, refusal('request-timeout'), 'without-effect', true],
    ['429', 429, undefined, 'unknown', true],
    ['429 with the error body', 429, refusal('rate-limited'), 'without-effect', true],
    ['503', 503, undefined, 'unknown', true],
    ['503 with the error body', 503, refusal(), 'unknown', true],
    ['500 of a proxy in front of the service', 500, undefined, 'unknown', true],
    ['500, a fault', 500, refusal('fault'), 'unknown', true],
    ['500 with an error body without a code', 500, refusal(), 'unknown', true],
    ['500 with a code of a newer service', 500, refusal('something-else'), 'unknown', true],
    ['502', 502, undefined, 'unknown', true],
    ['504', 504, undefined, 'unknown', true],
    ['409, the key is in use', 409, refusal('idempotency-key-in-use'), 'under-way', true],
    ['500, a race was lost', 500, refusal('changed-meanwhile'), 'without-effect', true],
    ['409 of another kind', 409, refusal('something-else'), 'decided', false],
    ['409 without the error body', 409, undefined, 'unknown', false],
    ['422, the key was used for something else', 422, refusal('idempotency-key-reused'), 'decided', false],
    ['501, no text message provider', 501, refusal('not-configured'), 'decided', false],
    ['500, a decision', 500, refusal('wrong-state'), 'decided', false],
    ['500, an invalid id', 500, invalidId, 'decided', false],
    ['500, a fault in the words of an invalid id', 500, { ...invalidId, code: 'fault' }, 'unknown', true],
    ['500, nearly an invalid id', 500, refusal(undefined, 'Transaction ID was invalid.'), 'unknown', true],
    ['500, a declined card by its words', 500, refusal(undefined, `${DECLINE} of the order.`), 'decided', false],
    ['500, a fault in the words of a decline', 500, refusal('fault', DECLINE), 'unknown', true],
    ['500, a declined card', 500, refusal('card-declined'), 'decided', false],
    ['400', 400, refusal('invalid-request'), 'decided', false],
    ['401', 401, refusal('unauthenticated'), 'without-effect', false],
    ['403', 403, refusal('https-required'), 'without-effect', false],
    ['404 of something else', 404, undefined, 'unknown', false],
    ['302', 302, undefined, 'unknown', false],
  ])('that ends with %s (%s, %j) is %s, and retried: %s', (_what, status, said, outcome, isRetried) => {
    expect(outcomeOf({ status, refusal: said })).toBe(outcome);
    expect(isWorthRetrying(outcome, status)).toBe(isRetried);
  });
});

describe('the wait before the next attempt', () => {
  it('doubles up to eight seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map((attempts) => retryWaitMs(attempts, 0, 'unknown'))).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
    ]);
  });

  it('grows up to two seconds while an earlier attempt is in progress', () => {
    expect([1, 4, 5, 50].map((attempts) => retryWaitMs(attempts, 0, 'under-way'))).toEqual([250, 2_000, 2_000, 2_000]);
    expect(retryWaitMs(1, 0, 'under-way', 10_000)).toBe(10_000);
  });

  it('has random jitter over its second half', () => {
    expect([0, 0.5, 1].map((chance) => retryWaitMs(2, chance, 'unknown'))).toEqual([500, 375, 250]);
  });

  it('is never shorter than Retry-After', () => {
    expect(retryWaitMs(1, 1, 'unknown', 3_000)).toBe(3_000);
    expect(retryWaitMs(5, 0, 'unknown', 3_000)).toBe(4_000);
  });
});
