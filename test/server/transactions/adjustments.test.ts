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

/** The example of `server/docs/merchant-api.md`: three chairs and a lamp, a discount, tax and shipping. */
const order: Adjustable = {
  leftCents: 12_405,
  lineItemsCents: 11_905,
  taxCents: 905,
  discountsCents: 1_000,
  lines: [line('CHAIR', 3_333, 3), line('LAMP', 2_001, 1)],
  adjusted: [],
};

const units = (counts: Record<string, number>) => Object.entries(counts).map(([sku, quantity]) => ({ sku, quantity }));

/** Returns the order after a refund, and the refunded amount. */
function refund(before: Adjustable, request: AdjustmentRequest): { order: Adjustable; amountCents: number } {
  const { amountCents, lines } = adjustmentOf('refund', request, before);
  const adjusted = addQuantities(before.adjusted, lines);
  return { order: { ...before, leftCents: before.leftCents - amountCents, adjusted }, amountCents };
}

describe('A cancel or a refund', () => {
  it.each<[string, AdjustmentRequest, number, Record<string, number>]>([
    ['without amount and line items adjusts everything', {}, 12_405, { CHAIR: 3, LAMP: 1 }],
    ['of amount 0 adjusts everything', { amount: 0 }, 12_405, { CHAIR: 3, LAMP: 1 }],
    ['with an empty list of line items adjusts everything', { lineItems: [] }, 12_405, { CHAIR: 3, LAMP: 1 }],
    ['of a cent adjusts a cent', { amount: 1 }, 1, {}],
    ['of the whole amount adjusts it', { amount: 12_405 }, 12_405, {}],
    ['of a unit adjusts its value', { lineItems: units({ CHAIR: 1 }) }, 3_307, { CHAIR: 1 }],
    ['of a line item adjusts its value', { lineItems: units({ LAMP: 1 }) }, 1_985, { LAMP: 1 }],
    [
      'adds up the quantities of a sku that is listed twice',
      {
        lineItems: [
          { sku: 'CHAIR', quantity: 1 },
          { sku: 'CHAIR', quantity: 1 },
        ],
      },
      6_614,
      { CHAIR: 2 },
    ],
    ['of all line items adjusts everything', { lineItems: units({ LAMP: 1, CHAIR: 3 }) }, 12_405, { CHAIR: 3, LAMP: 1 }],
    ['with an amount and line items adjusts the amount', { amount: 250, lineItems: units({ CHAIR: 3 }) }, 250, { CHAIR: 3 }],
    [
      'with amount 0 and line items adjusts the value of the line items',
      { amount: 0, lineItems: units({ LAMP: 1 }) },
      1_985,
      { LAMP: 1 },
    ],
  ])('%s', (_case, request, amountCents, lines) => {
    expect(adjustmentOf('cancel', request, order)).toEqual({ amountCents, lines: units(lines) });
  });

  it('of all remaining units adjusts what remains, and has their value if that is more', () => {
    const before = { ...order, leftCents: 1_000, adjusted: units({ CHAIR: 3 }) };
    const lines = units({ LAMP: 1 });
    const adjust = (leftCents: number) => adjustmentOf('refund', { lineItems: lines }, { ...before, leftCents });
    expect(adjust(1_984)).toEqual({ amountCents: 1_984, lines, requestedCents: 1_985 });
    expect(adjust(1_985)).toEqual({ amountCents: 1_985, lines });
    expect(adjust(2_485)).toEqual({ amountCents: 2_485, lines });
    expect(adjustmentOf('refund', {}, before)).toEqual({ amountCents: 1_000, lines });
  });

  it.each<[string, AdjustmentRequest, Partial<Adjustable>, string]>([
    ['a cent more than remains', { amount: 12_406 }, {}, 'amount-too-large'],
    ['more than remains after other adjustments', { amount: 101 }, { leftCents: 100 }, 'amount-too-large'],
    ['a sku that was not bought', { lineItems: units({ DESK: 1 }) }, {}, 'quantity-too-large'],
    ['more units than were bought', { lineItems: units({ CHAIR: 4 }) }, {}, 'quantity-too-large'],
    ['more units than remain', { lineItems: units({ CHAIR: 2 }) }, { adjusted: units({ CHAIR: 2 }) }, 'quantity-too-large'],
    [
      'more units than remain, listed as two line items',
      {
        lineItems: [
          { sku: 'LAMP', quantity: 1 },
          { sku: 'LAMP', quantity: 1 },
        ],
      },
      {},
      'quantity-too-large',
    ],
    ['more units than remain, even with a small amount', { amount: 1, lineItems: units({ LAMP: 2 }) }, {}, 'quantity-too-large'],
    [
      'more than the remaining amount, even with line items',
      { amount: 12_406, lineItems: units({ LAMP: 1 }) },
      {},
      'amount-too-large',
    ],
    [
      'line items whose value exceeds the remaining amount',
      { lineItems: units({ CHAIR: 1 }) },
      { leftCents: 3_306 },
      'amount-too-large',
    ],
    ['a line item of a purchase without line items', { lineItems: units({ '': 1 }) }, { lines: [] }, 'quantity-too-large'],
  ])('of %s is rejected', (_case, request, change, code) => {
    const attempt = () => adjustmentOf('refund', request, { ...order, ...change });
    expect(attempt).toThrow(expect.objectContaining({ code }));
  });

  it('of one unit after another adjusts the amounts of decision record 10', () => {
    let current = order;
    const amounts = [{ CHAIR: 1 }, { LAMP: 1 }, { CHAIR: 2 }].map((counts) => {
      const lineItems = Object.entries(counts).map(([sku, quantity]) => ({ sku, quantity }));
      const step = refund(current, { lineItems });
      current = step.order;
      return step.amountCents;
    });
    expect(amounts).toEqual([3_307, 1_985, 7_113]);
    expect(current.leftCents).toBe(0);
  });

  it('of all remaining units adjusts the whole remaining amount', () => {
    const { order: remaining } = refund(order, { amount: 12_000 });
    const all = { lineItems: units({ CHAIR: 3, LAMP: 1 }) };
    expect(adjustmentOf('refund', all, remaining)).toMatchObject({ amountCents: 405 });
  });

  it('of all remaining units with an amount leaves the difference, which a request without an amount adjusts', () => {
    const all = {
      amount: 10_000,
      lineItems: units({ CHAIR: 3, LAMP: 1 }),
    };
    const { order: remaining } = refund(order, all);
    expect(remainingQuantities(remaining)).toEqual([]);
    expect(adjustmentOf('refund', {}, remaining)).toEqual({ amountCents: 2_405, lines: [] });
  });

  it('uses the units of the earlier of two line items with the same sku first', () => {
    const lines = [line('A', 100, 1), line('B', 1_000, 1), line('A', 300, 2)];
    const before = { ...order, leftCents: 1_700, lineItemsCents: 1_700, taxCents: 0, discountsCents: 0, lines };
    const one = { lineItems: units({ A: 1 }) };
    const first = refund(before, one);
    const second = refund(refund(before, one).order, one);
    expect([first.amountCents, second.amountCents]).toEqual([100, 300]);
    expect(() => refund(before, { lineItems: units({ A: 4 }) })).toThrow('3 are left');
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
  )('of one unit after another, in any order, adjusts the value of each, and shipping with the last: %j', (given) => {
    const { seed, totalCents, lines, taxCents, discountsCents } = given;
    const random = seededRandom(seed);
    let current: Adjustable = {
      lines,
      taxCents,
      discountsCents,
      leftCents: totalCents,
      lineItemsCents: totalLineValue(given),
      adjusted: [],
    };
    const values = unitValuesBySku(current);
    for (let left = remainingQuantities(current); left.length > 0; left = remainingQuantities(current)) {
      const { sku, quantity } = left[random.integer(0, left.length - 1)]!;
      const count = random.integer(1, quantity);
      const step = refund(current, { lineItems: [{ sku, quantity: count }] });
      const valueCents = sum(values.get(sku)!.splice(0, count));
      const isLast = left.length === 1 && count === quantity;
      expect(step.amountCents).toBe(valueCents + (isLast ? totalCents - totalLineValue(given) : 0));
      current = step.order;
    }
    expect(current.leftCents).toBe(0);
  });
});

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);

/** Returns the value of every unit by sku. Cents that cannot be divided equally go to the first units of a line. */
function unitValuesBySku(purchase: Adjustable): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const [index, cents] of lineValues(purchase.lines, purchase).entries()) {
    const { sku, quantity } = purchase.lines[index]!;
    for (let left = quantity, restCents = cents; left > 0; left--) {
      const unitCents = Math.ceil(restCents / left);
      values.set(sku, [...(values.get(sku) ?? []), unitCents]);
      restCents -= unitCents;
    }
  }
  return values;
}
