import { describe, expect, it } from 'vitest';
import { allocate } from '../../shared/allocate.ts';
import { samples } from '../support/random.ts';

describe('allocate', () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [100, [1, 1, 1, 1], [25, 25, 25, 25]],
    [2, [1, 1, 1], [1, 1, 0]],
    [0, [5, 7], [0, 0]],
    [5, [0, 1, 0], [0, 5, 0]],
    [5, [0, 0], [3, 2]],
    [7, [9], [7]],
    [10, [6, 3, 1], [6, 3, 1]],
    [1_000, [333, 333, 334], [333, 333, 334]],
    [99, [50, 30, 20], [49, 30, 20]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [-5, [0, 1], [0, -5]],
    [Number.MAX_SAFE_INTEGER, [1, 2], [3_002_399_751_580_330, 6_004_799_503_160_661]],
  ])('splits %i by %j into %j', (totalCents, weights, parts) => {
    expect(allocate(totalCents, weights)).toEqual(parts);
  });

  it('returns parts that add up to the total and are within a cent of their exact share', () => {
    const cases = samples(2_000, 20_261_121, (random) => ({
      totalCents: random.magnitude(1, 10 ** 12),
      weights: Array.from({ length: random.integer(1, 12) }, () => random.magnitude(1, 10 ** 9) - 1),
    }));
    for (const { totalCents, weights } of cases) {
      const parts = allocate(totalCents, weights);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      expect(parts.reduce((total, part) => total + part, 0)).toBe(totalCents);
      parts.forEach((part, index) => {
        const share = sum === 0 ? totalCents / weights.length : (totalCents * weights[index]!) / sum;
        expect(Math.abs(part - share)).toBeLessThan(1 + 1e-3);
      });
    }
  });

  it.each<[number, number[], string]>([
    [1.5, [1], 'totalCents: expected a safe integer, but received 1.5'],
    [2 ** 53, [1], 'totalCents: expected a safe integer, but received 9007199254740992'],
    [Number.NaN, [1], 'totalCents: expected a safe integer, but received NaN'],
    [1, [], 'weights: expected at least one, but received none'],
    [1, [1, -1], 'weights: expected safe integers from 0, but received -1'],
    [1, [0.5], 'weights: expected safe integers from 0, but received 0.5'],
  ])('rejects %d split by %j', (totalCents, weights, message) => {
    expect(() => allocate(totalCents, weights)).toThrow(new RangeError(message));
  });
});
