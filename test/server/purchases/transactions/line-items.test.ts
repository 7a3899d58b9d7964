import { describe, expect, it } from 'vitest';
import {
  type LineReplacement,
  valueOfUnits,
  lineValues,
  type PricedLine,
  totalLineValue,
  replacementLineValue,
} from '../../../../server/purchases/transactions/line-items.ts';
import { samples } from '../../../support/random.ts';

const noCosts = { totalCents: 0, shippingCents: 0, taxCents: null as number | null, discountsCents: 0 };

/** Returns the values of the line items of a cart, which add up to the total without shipping. */
const valuesIn = (lines: readonly PricedLine[], costs: typeof noCosts) =>
  lineValues(lines, { ...costs, lineItemsCents: totalLineValue(costs) });

describe('The value of each line item', () => {
  it.each<[string, string, Partial<typeof noCosts>, number[]]>([
    ['its price times its quantity', '1_000 × 2 + 500 × 1', { totalCents: 2_500 }, [2_000, 500]],
    ['without shipping', '1_000 × 2', { totalCents: 2_700, shippingCents: 700 }, [2_000]],
    ['less its share of the discounts', '3_000 × 1 + 1_000 × 1', { totalCents: 3_600, discountsCents: 400 }, [2_700, 900]],
    ['plus its share of the tax', '3_000 × 1 + 1_000 × 1', { totalCents: 4_100, taxCents: 100 }, [3_075, 1_025]],
    [
      'rounded with the remaining cents to the largest fractions',
      '3_333 × 3 + 2_001 × 1',
      { totalCents: 12_405, shippingCents: 500, taxCents: 905, discountsCents: 1_000 },
      [9_920, 1_985],
    ],
    ['scaled to a lower custom total', '1_000 × 2 + 500 × 1', { totalCents: 1_001 }, [801, 200]],
    ['scaled to a higher custom total', '100 × 1 + 100 × 1 + 100 × 1', { totalCents: 1_000 }, [334, 333, 333]],
    ['scaled to a custom total less shipping', '1_000 × 1 + 1_000 × 1', { totalCents: 1_500, shippingCents: 500 }, [500, 500]],
    ['zero if the total is less than shipping', '1_000 × 1', { totalCents: 500, shippingCents: 800 }, [0]],
    ['the same for all if all prices are zero', '0 × 1 + 0 × 3', { totalCents: 101 }, [51, 50]],
    ['zero for a price of zero', '1_000 × 1 + 0 × 1', { totalCents: 1_000 }, [1_000, 0]],
    [
      'not negative if discounts are larger',
      '100 × 1 + 300 × 1',
      { totalCents: 100, shippingCents: 600, discountsCents: 900 },
      [0, 0],
    ],
    [
      'exact for the largest amounts',
      '99_999_999_999 × 1 + 99_999_999_999 × 1',
      { totalCents: 99_999_999_999 },
      [50_000_000_000, 49_999_999_999],
    ],
    ['empty without line items', '', { totalCents: 500 }, []],
  ])('is %s', (_title, priced, costs, expected) => {
    const pairs = [...priced.replaceAll('_', '').matchAll(/(\d+) × (\d+)/g)];
    const lines = pairs.map(([, price, quantity]): PricedLine => ({ price: Number(price), quantity: Number(quantity) }));
    expect(valuesIn(lines, { ...noCosts, ...costs })).toEqual(expected);
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
  )('is at least zero, and all add up to the total less shipping: %j', ({ lines, costs }) => {
    const values = valuesIn(lines, costs);
    expect(values.reduce((sum, cents) => sum + cents, 0)).toBe(Math.max(0, costs.totalCents - costs.shippingCents));
    for (const cents of values) expect(cents).toBeGreaterThanOrEqual(0);
  });
});

describe('The value of the line items of an authorization', () => {
  const lines = (price: number, quantity = 1): PricedLine[] => [{ price, quantity }];
  const defaults: LineReplacement = {
    before: lines(10_000),
    beforeValueCents: 10_000,
    after: lines(10_000),
    canceledCents: 0,
    leftCents: 10_500,
    shippingCents: 500,
  };

  const largest = {
    before: lines(99_999_999_999),
    beforeValueCents: 99_999_999_999,
    after: lines(33_333_333_333, 2),
    canceledCents: 33_333_333_333,
    leftCents: 66_666_666_666,
    shippingCents: 0,
  };

  it.each<[string, Partial<LineReplacement>, number]>([
    ['the total less shipping, if nothing was canceled', {}, 10_000],
    ['the same if they cost more', { after: lines(90_000) }, 10_000],
    ['the same if they cost less', { after: lines(1) }, 10_000],
    ['the same if there were no line items before', { before: [], after: lines(7_777) }, 10_000],
    [
      'what remains less shipping, if an article was canceled',
      { after: lines(6_000), canceledCents: 4_000, leftCents: 6_500 },
      6_000,
    ],
    ['the remaining amount, if shipping was canceled', { canceledCents: 500, leftCents: 10_000 }, 10_000],
    ['their price, if a part of shipping was canceled', { canceledCents: 200, leftCents: 10_300 }, 10_000],
    ['the remaining amount, if it is less than their price', { canceledCents: 700, leftCents: 9_800 }, 9_800],
    [
      'at most the previous value, if less than shipping was canceled',
      { after: lines(20_000), canceledCents: 200, leftCents: 10_300 },
      10_000,
    ],
    [
      'their price with their share of the tax, if an article was canceled with its share',
      { before: lines(5_000, 2), beforeValueCents: 11_000, after: lines(5_000), canceledCents: 5_500, leftCents: 6_000 },
      5_500,
    ],
    [
      'their price with their share of the discount, if an article was canceled with its share',
      { before: lines(5_000, 2), beforeValueCents: 9_000, after: lines(5_000), canceledCents: 4_500, leftCents: 5_000 },
      4_500,
    ],
    ['zero, if only shipping remains', { canceledCents: 10_000, leftCents: 500, after: lines(0) }, 0],
    ['the remaining amount, if it is less than shipping', { canceledCents: 10_300, leftCents: 200 }, 200],
    ['zero, if shipping exceeds the total', { leftCents: 300, beforeValueCents: 0 }, 0],
    ['zero, if shipping exceeded the total, less a part', { leftCents: 200, canceledCents: 100, beforeValueCents: 0 }, 0],
    ['exact for the largest amounts', largest, 66_666_666_666],
  ])('is %s', (_title, replacement, expected) => {
    expect(replacementLineValue({ ...defaults, ...replacement })).toBe(expected);
  });
});

describe('The value of random line items of an authorization', () => {
  it.each(
    samples(300, 20_261_123, (random) => {
      const lines = () =>
        Array.from({ length: random.integer(1, 5) }, () => ({
          price: random.integer(0, 90_000),
          quantity: random.integer(1, 4),
        }));
      const beforeValueCents = random.integer(0, 500_000);
      const shippingCents = random.integer(0, 2) * random.integer(1, 999);
      const canceledCents = random.integer(0, beforeValueCents + shippingCents);
      const leftCents = beforeValueCents + shippingCents - canceledCents;
      return { before: lines(), beforeValueCents, after: lines(), canceledCents, leftCents, shippingCents };
    }),
  )('is between what remains without shipping and what remains: %j', (replacement) => {
    const cents = replacementLineValue(replacement);
    expect(cents).toBeGreaterThanOrEqual(Math.max(0, replacement.leftCents - replacement.shippingCents));
    expect(cents).toBeLessThanOrEqual(replacement.leftCents);
  });
});

describe('The value of the first units of a line item', () => {
  it.each([
    [100, 3, [0, 34, 67, 100]],
    [9_920, 3, [0, 3_307, 6_614, 9_920]],
    [2, 4, [0, 1, 2, 2, 2]],
    [0, 2, [0, 0, 0]],
    [75_000, 1, [0, 75_000]],
  ])('of %i cents for %i units is %j', (value, quantity, expected) => {
    expect(expected.map((_, units) => valueOfUnits(value, quantity, units))).toEqual(expected);
  });

  it('is exact for 10,000 units of the largest line item', () => {
    expect(valueOfUnits(99_999_999_999, 10_000, 9_999)).toBe(99_990_000_000);
    expect(valueOfUnits(99_999_999_999, 10_000, 10_000)).toBe(99_999_999_999);
  });
});
