import { describe, expect, it } from 'vitest';
import { type Adjustable, addQuantities, adjustmentOf, remainingQuantities } from '../../../server/transactions/adjustments.ts';
import { lineValues, totalLineValue } from '../../../server/transactions/line-items.ts';
import type { AdjustmentRequest, LineItem } from '../../../shared/wire/transaction.ts';
import { samples, seededRandom } from '../../support/random.ts';

const line = (sku: string, price: number, quantity: number): LineItem => ({
  id: sku,
  sku,
  price,
  quantity,
  product: { name: sku, sku, imageUrl: '', detailUrl: '' },
});

/** The example of docs/merchant-api.md: three chairs and a lamp, a discount, tax and shipping. */
const order: Adjustable = {
  leftCents: 12_405,
  linesWorthCents: 11_905,
  taxCents: 905,
  discountsCents: 1_000,
  lines: [line('CHAIR', 3_333, 3), line('LAMP', 2_001, 1)],
  adjusted: [],
};

/** `of` after it has been adjusted. */
function after(of: Adjustable, request: AdjustmentRequest): { of: Adjustable; amountCents: number } {
  const { amountCents, lines } = adjustmentOf('refund', request, of);
  return { of: { ...of, leftCents: of.leftCents - amountCents, adjusted: addQuantities(of.adjusted, lines) }, amountCents };
}

describe('A cancel or a refund', () => {
  it.each<[string, AdjustmentRequest, number, [sku: string, quantity: number][]]>([
    [
      'that says nothing moves everything',
      {},
      12_405,
      [
        ['CHAIR', 3],
        ['LAMP', 1],
      ],
    ],
    [
      'of amount 0 moves everything',
      { amount: 0 },
      12_405,
      [
        ['CHAIR', 3],
        ['LAMP', 1],
      ],
    ],
    [
      'of no lines moves everything',
      { lineItems: [] },
      12_405,
      [
        ['CHAIR', 3],
        ['LAMP', 1],
      ],
    ],
    ['of a cent moves a cent', { amount: 1 }, 1, []],
    ['of the whole amount moves it', { amount: 12_405 }, 12_405, []],
    ['of a piece moves what it is worth', { lineItems: [{ sku: 'CHAIR', quantity: 1 }] }, 3_307, [['CHAIR', 1]]],
    ['of a line moves what it is worth', { lineItems: [{ sku: 'LAMP', quantity: 1 }] }, 1_985, [['LAMP', 1]]],
    [
      'counts a sku that is named twice once',
      {
        lineItems: [
          { sku: 'CHAIR', quantity: 1 },
          { sku: 'CHAIR', quantity: 1 },
        ],
      },
      6_614,
      [['CHAIR', 2]],
    ],
    [
      'of all lines moves everything',
      {
        lineItems: [
          { sku: 'LAMP', quantity: 1 },
          { sku: 'CHAIR', quantity: 3 },
        ],
      },
      12_405,
      [
        ['CHAIR', 3],
        ['LAMP', 1],
      ],
    ],
    [
      'of an amount beside lines moves the amount',
      { amount: 250, lineItems: [{ sku: 'CHAIR', quantity: 3 }] },
      250,
      [['CHAIR', 3]],
    ],
    [
      'of amount 0 beside lines moves what these are worth',
      { amount: 0, lineItems: [{ sku: 'LAMP', quantity: 1 }] },
      1_985,
      [['LAMP', 1]],
    ],
  ])('%s', (_what, request, amountCents, lines) => {
    const counts = lines.map(([sku, quantity]) => ({ sku, quantity }));
    expect(adjustmentOf('cancel', request, order)).toEqual({ amountCents, lines: counts });
  });

  it.each<[string, AdjustmentRequest, Partial<Adjustable>, string, string]>([
    ['a cent more than is left', { amount: 12_406 }, {}, 'amount-too-large', 'Cannot refund 12406 cents: 12405 are left.'],
    [
      'more than is left after others',
      { amount: 101 },
      { leftCents: 100 },
      'amount-too-large',
      'Cannot refund 101 cents: 100 are left.',
    ],
    [
      'a sku that was not bought',
      { lineItems: [{ sku: 'DESK', quantity: 1 }] },
      {},
      'quantity-too-large',
      'Cannot refund 1 of the sku "DESK": 0 are left.',
    ],
    [
      'more pieces than were bought',
      { lineItems: [{ sku: 'CHAIR', quantity: 4 }] },
      {},
      'quantity-too-large',
      'Cannot refund 4 of the sku "CHAIR": 3 are left.',
    ],
    [
      'more pieces than are left',
      { lineItems: [{ sku: 'CHAIR', quantity: 2 }] },
      { adjusted: [{ sku: 'CHAIR', quantity: 2 }] },
      'quantity-too-large',
      'Cannot refund 2 of the sku "CHAIR": 1 is left.',
    ],
    [
      'more pieces than are left, in two parts',
      {
        lineItems: [
          { sku: 'LAMP', quantity: 1 },
          { sku: 'LAMP', quantity: 1 },
        ],
      },
      {},
      'quantity-too-large',
      'Cannot refund 2 of the sku "LAMP": 1 is left.',
    ],
    [
      'more pieces than are left, whatever the amount',
      { amount: 1, lineItems: [{ sku: 'LAMP', quantity: 2 }] },
      {},
      'quantity-too-large',
      'Cannot refund 2 of the sku "LAMP": 1 is left.',
    ],
    [
      'more than is left, whatever the lines',
      { amount: 12_406, lineItems: [{ sku: 'LAMP', quantity: 1 }] },
      {},
      'amount-too-large',
      'Cannot refund 12406 cents: 12405 are left.',
    ],
    [
      'lines that are worth more than is left',
      { lineItems: [{ sku: 'CHAIR', quantity: 1 }] },
      { leftCents: 3_306 },
      'amount-too-large',
      'Cannot refund 3307 cents: 3306 are left.',
    ],
    [
      'a line of a purchase without lines',
      { lineItems: [{ sku: '', quantity: 1 }] },
      { lines: [] },
      'quantity-too-large',
      'Cannot refund 1 of the sku "": 0 are left.',
    ],
  ])('of %s is rejected', (_what, request, of, code, message) => {
    const refund = () => adjustmentOf('refund', request, { ...order, ...of });
    expect(refund).toThrow(expect.objectContaining({ code, message }));
  });

  it('by pieces follows the calculation of the decision record', () => {
    let of = order;
    const moved = [{ CHAIR: 1 }, { LAMP: 1 }, { CHAIR: 2 }].map((pieces) => {
      const lineItems = Object.entries(pieces).map(([sku, quantity]) => ({ sku, quantity }));
      const step = after(of, { lineItems });
      of = step.of;
      return step.amountCents;
    });
    expect(moved).toEqual([3_307, 1_985, 7_113]);
    expect(of.leftCents).toBe(0);
  });

  it('of the last pieces includes the rest of the amount, whatever was adjusted before', () => {
    const { of } = after(order, { amount: 12_000 });
    const all = {
      lineItems: [
        { sku: 'CHAIR', quantity: 3 },
        { sku: 'LAMP', quantity: 1 },
      ],
    };
    expect(adjustmentOf('refund', all, of)).toMatchObject({ amountCents: 405 });
  });

  it('of the last pieces with an amount leaves the rest of the amount, which a request without an amount adjusts', () => {
    const all = {
      amount: 10_000,
      lineItems: [
        { sku: 'CHAIR', quantity: 3 },
        { sku: 'LAMP', quantity: 1 },
      ],
    };
    const { of } = after(order, all);
    expect(remainingQuantities(of)).toEqual([]);
    expect(adjustmentOf('refund', {}, of)).toEqual({ amountCents: 2_405, lines: [] });
  });

  it('uses the pieces of the earlier of two lines with the same sku first', () => {
    const lines = [line('A', 100, 1), line('B', 1_000, 1), line('A', 300, 2)];
    const of = { ...order, leftCents: 1_700, linesWorthCents: 1_700, taxCents: 0, discountsCents: 0, lines };
    const one = { lineItems: [{ sku: 'A', quantity: 1 }] };
    const [first, second] = [after(of, one), after(after(of, one).of, one)];
    expect([first.amountCents, second.amountCents]).toEqual([100, 300]);
    expect(() => after(of, { lineItems: [{ sku: 'A', quantity: 4 }] })).toThrow('3 are left');
  });

  it.each(
    samples(200, 4_711, (random) => ({
      seed: random.integer(0, 1e9),
      lines: Array.from({ length: random.integer(1, 4) }, (_, index) =>
        line(['A', 'B', 'C', 'A'][index]!, random.magnitude(1, 100_000) - 1, random.integer(1, 5)),
      ),
      totalCents: random.magnitude(1, 1_000_000),
      shippingCents: random.integer(0, 900),
      taxCents: random.integer(0, 5_000),
      discountsCents: random.integer(0, 5_000),
    })),
  )('piece by piece, in any order, adjusts the value of each, and shipping with the last: %j', (given) => {
    const { seed, totalCents, lines, taxCents, discountsCents } = given;
    const random = seededRandom(seed);
    let of: Adjustable = {
      lines,
      taxCents,
      discountsCents,
      leftCents: totalCents,
      linesWorthCents: totalLineValue(given),
      adjusted: [],
    };
    const pieces = piecesBySku(of);
    for (let left = remainingQuantities(of); left.length > 0; left = remainingQuantities(of)) {
      const { sku, quantity } = left[random.integer(0, left.length - 1)]!;
      const count = random.integer(1, quantity);
      const step = after(of, { lineItems: [{ sku, quantity: count }] });
      const worth = sum(pieces.get(sku)!.splice(0, count));
      const isLast = left.length === 1 && count === quantity;
      expect(step.amountCents).toBe(worth + (isLast ? totalCents - totalLineValue(given) : 0));
      of = step.of;
    }
    expect(of.leftCents).toBe(0);
  });
});

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);

/** What each piece is worth, written down one by one: odd cents of a line go to its first pieces. */
function piecesBySku(of: Adjustable): Map<string, number[]> {
  const pieces = new Map<string, number[]>();
  for (const [index, cents] of lineValues(of.lines, of).entries()) {
    const { sku, quantity } = of.lines[index]!;
    for (let left = quantity, rest = cents; left > 0; left--) {
      const piece = Math.ceil(rest / left);
      pieces.set(sku, [...(pieces.get(sku) ?? []), piece]);
      rest -= piece;
    }
  }
  return pieces;
}
