import { expect, it } from 'vitest';
import { keptTokens } from '../../../server/tokens/kept-tokens.ts';

it('What is known of tokens is bounded: the oldest goes', () => {
  const kept = keptTokens<number>(3);
  for (const n of [1, 2, 3]) kept.keep(`token-${n}`, n);
  expect([1, 2, 3].map((n) => kept.get(`token-${n}`))).toEqual([1, 2, 3]);
  kept.keep('token-1', 10);
  kept.keep('token-4', 4);
  expect([1, 2, 3, 4].map((n) => kept.get(`token-${n}`))).toEqual([10, undefined, 3, 4]);
  for (let n = 0; n < 1_000; n++) kept.keep(`another-${n}`, n);
  expect([kept.size, kept.get('another-999'), kept.get('token-4')]).toEqual([3, 999, undefined]);
});
