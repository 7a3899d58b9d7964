import { describe, expect, it } from 'vitest';
import { type Costs, firstPieces, lineValues, type PricedLine } from '../../../server/transactions/line-values.ts';
import { samples } from '../../support/random.ts';

const noCosts: Costs = { totalCents: 0, shippingCents: 0, taxCents: null, discountsCents: 0 };

describe('What each line is worth', () => {
  it.each<[string, [price: number, quantity: number][], Partial<Costs>, number[]]>([
    [
      'its price times its quantity',
      [
        [1_000, 2],
        [500, 1],
      ],
      { totalCents: 2_500 },
      [2_000, 500],
    ],
    ['without shipping', [[1_000, 2]], { totalCents: 2_700, shippingCents: 700 }, [2_000]],
    [
      'less its share of the discounts',
      [
        [3_000, 1],
        [1_000, 1],
      ],
      { totalCents: 3_600, discountsCents: 400 },
      [2_700, 900],
    ],
    [
      'plus its share of the tax',
      [
        [3_000, 1],
        [1_000, 1],
      ],
      { totalCents: 4_100, taxCents: 100 },
      [3_075, 1_025],
    ],
    [
      'with odd cents where most was lost',
      [
        [3_333, 3],
        [2_001, 1],
      ],
      { totalCents: 12_405, shippingCents: 500, taxCents: 905, discountsCents: 1_000 },
      [9_920, 1_985],
    ],
    [
      'scaled to a custom total that is lower',
      [
        [1_000, 2],
        [500, 1],
      ],
      { totalCents: 1_001 },
      [801, 200],
    ],
    [
      'scaled to a custom total that is higher',
      [
        [100, 1],
        [100, 1],
        [100, 1],
      ],
      { totalCents: 1_000 },
      [334, 333, 333],
    ],
    [
      'scaled to a custom total less shipping',
      [
        [1_000, 1],
        [1_000, 1],
      ],
      { totalCents: 1_500, shippingCents: 500 },
      [500, 500],
    ],
    ['nothing where shipping is all there is', [[1_000, 1]], { totalCents: 500, shippingCents: 800 }, [0]],
    [
      'the same for all where prices say nothing',
      [
        [0, 1],
        [0, 3],
      ],
      { totalCents: 101 },
      [51, 50],
    ],
    [
      'nothing for what is given away',
      [
        [1_000, 1],
        [0, 1],
      ],
      { totalCents: 1_000 },
      [1_000, 0],
    ],
    [
      'never less than nothing, where discounts exceed the prices',
      [
        [100, 1],
        [300, 1],
      ],
      { totalCents: 100, shippingCents: 600, discountsCents: 900 },
      [0, 0],
    ],
    [
      'exact at the largest amounts',
      [
        [99_999_999_999, 1],
        [99_999_999_999, 1],
      ],
      { totalCents: 99_999_999_999 },
      [50_000_000_000, 49_999_999_999],
    ],
    ['of no line', [], { totalCents: 500 }, []],
  ])('is %s', (_what, priced, costs, expected) => {
    const lines = priced.map(([price, quantity]): PricedLine => ({ price, quantity }));
    expect(lineValues(lines, { ...noCosts, ...costs })).toEqual(expected);
  });

  it.each(
    samples(300, 20_261_121, (random) => {
      const lines = Array.from({ length: random.integer(1, 6) }, () => ({
        price: random.magnitude(1, 1_000_000) - 1,
        quantity: random.integer(1, 9),
      }));
      const shippingCents = random.integer(0, 2_000);
      const costs = { shippingCents, taxCents: random.integer(0, 9_999), discountsCents: random.integer(0, 20_000) };
      return { lines, costs: { ...costs, totalCents: random.magnitude(1, 5_000_000) } };
    }),
  )('adds up to the total less shipping, none below zero: %j', ({ lines, costs }) => {
    const values = lineValues(lines, costs);
    expect(values.reduce((sum, cents) => sum + cents, 0)).toBe(Math.max(0, costs.totalCents - costs.shippingCents));
    for (const cents of values) expect(cents).toBeGreaterThanOrEqual(0);
  });
});

describe('What the first pieces of a line are worth', () => {
  it.each([
    [100, 3, [0, 34, 67, 100]],
    [9_920, 3, [0, 3_307, 6_614, 9_920]],
    [2, 4, [0, 1, 2, 2, 2]],
    [0, 2, [0, 0, 0]],
    [75_000, 1, [0, 75_000]],
  ])('of %i cents for %i pieces is %j', (value, quantity, expected) => {
    expect(expected.map((_, pieces) => firstPieces(value, quantity, pieces))).toEqual(expected);
  });

  it('is exact for ten thousand pieces of the largest line there is', () => {
    expect(firstPieces(99_999_999_999, 10_000, 9_999)).toBe(99_990_000_000);
    expect(firstPieces(99_999_999_999, 10_000, 10_000)).toBe(99_999_999_999);
  });
});
