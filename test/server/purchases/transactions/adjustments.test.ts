import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Adjustable,
  addQuantities,
  adjustmentOf,
  keptByRefunds,
  remainingQuantities,
} from '../../../../server/purchases/transactions/adjustments.ts';
import { lineValues, totalLineValue } from '../../../../server/purchases/transactions/line-items.ts';
import type { AdjustmentRequest, LineCount, LineItem } from '../../../../shared/wire/transaction.ts';
import { campaign, campaignTimeoutMs } from '../../../support/campaign.ts';

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

/** Line items with the same sku, once each. */
const twice = (sku: string) => ({ lineItems: [...units({ [sku]: 1 }), ...units({ [sku]: 1 })] });

/** Returns the order after a refund, and the refunded amount. */
function refund(before: Adjustable, request: AdjustmentRequest): { order: Adjustable; amountCents: number } {
  const { amountCents, lines } = adjustmentOf('refund', request, before);
  const adjusted = addQuantities(before.adjusted, lines);
  return { order: { ...before, leftCents: before.leftCents - amountCents, adjusted }, amountCents };
}

describe('A cancel or a refund', () => {
  it.each<[string, AdjustmentRequest, number, Record<string, number>]>([
    ['without amount and line items adjusts everything', {}, 12_405, { CHAIR: 3, LAMP: 1 }],
    ['with an empty list of line items adjusts everything', { lineItems: [] }, 12_405, { CHAIR: 3, LAMP: 1 }],
    ['of a unit adjusts its value', { lineItems: units({ CHAIR: 1 }) }, 3_307, { CHAIR: 1 }],
    ['of a line item adjusts its value', { lineItems: units({ LAMP: 1 }) }, 1_985, { LAMP: 1 }],
    ['adds up the quantities of a sku that is listed twice', twice('CHAIR'), 6_614, { CHAIR: 2 }],
    ['of all line items adjusts everything', { lineItems: units({ LAMP: 1, CHAIR: 3 }) }, 12_405, { CHAIR: 3, LAMP: 1 }],
    ['with an amount and line items adjusts the amount', { amount: 250, lineItems: units({ CHAIR: 3 }) }, 250, { CHAIR: 3 }],
    ['with amount 0 and line items adjusts their value', { amount: 0, lineItems: units({ LAMP: 1 }) }, 1_985, { LAMP: 1 }],
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
    ['more units than remain, listed as two line items', twice('LAMP'), {}, 'quantity-too-large'],
    ['more units than remain, even with a small amount', { amount: 1, lineItems: units({ LAMP: 2 }) }, {}, 'quantity-too-large'],
    ['more than remains, even with line items', { amount: 12_406, lineItems: units({ LAMP: 1 }) }, {}, 'amount-too-large'],
    ['line items worth more than remains', { lineItems: units({ CHAIR: 1 }) }, { leftCents: 3_306 }, 'amount-too-large'],
    ['a line item of a purchase without line items', { lineItems: units({ '': 1 }) }, { lines: [] }, 'quantity-too-large'],
  ])('of %s is rejected', (_case, request, change, code) => {
    const attempt = () => adjustmentOf('refund', request, { ...order, ...change });
    expect(attempt).toThrow(expect.objectContaining({ code }));
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
});

/** A purchase and the rows of its journal. */
interface History {
  purchase: Adjustable;
  journal: { type: 'refunded' | 'canceled'; amountCents: number; lines: LineCount[] }[];
}

/** Returns the history after another cancel or refund. */
function withChange({ purchase, journal }: History, type: 'cancel' | 'refund', request: AdjustmentRequest): History {
  const { amountCents, lines } = adjustmentOf(type, request, purchase, keptByRefunds(purchase, journal));
  const adjusted = addQuantities(purchase.adjusted, lines);
  const entry = { type: type === 'cancel' ? 'canceled' : 'refunded', amountCents, lines } as const;
  return { purchase: { ...purchase, leftCents: purchase.leftCents - amountCents, adjusted }, journal: [...journal, entry] };
}

/** Returns the amounts of refunds that follow each other. */
function amountsOf(purchase: Adjustable, requests: readonly AdjustmentRequest[]): number[] {
  const start: History = { purchase, journal: [] };
  return requests
    .reduce((history, request) => withChange(history, 'refund', request), start)
    .journal.map((row) => row.amountCents);
}

describe('What a refund of line items by a smaller amount keeps', () => {
  const lines = [line('A', 10_000, 1), line('B', 5_000, 1)];
  const two: Adjustable = { leftCents: 15_000, lineItemsCents: 15_000, taxCents: null, discountsCents: 0, lines, adjusted: [] };
  const shipped = { ...two, leftCents: 16_500 };
  const fee = { amount: 8_000, lineItems: units({ A: 1 }) };
  const last = { lineItems: units({ B: 1 }) };

  it.each<[string, Adjustable, AdjustmentRequest[], number[]]>([
    ['is not returned with the last units', two, [fee, last], [8_000, 5_000]],
    ['is not returned with the last units and the shipping', shipped, [fee, last], [8_000, 6_500]],
    ['is returned by a request without both fields', two, [fee, {}], [8_000, 7_000]],
    ['is returned by a request without both fields after the last units', two, [fee, last, {}], [8_000, 5_000, 2_000]],
    ['is returned first by an amount', two, [fee, { amount: 2_000 }, last], [8_000, 2_000, 5_000]],
    ['is returned in part by a smaller amount', two, [fee, { amount: 500 }, last, {}], [8_000, 500, 5_000, 1_500]],
    ['is returned before a larger amount reduces the last units', two, [fee, { amount: 3_000 }, last], [8_000, 3_000, 4_000]],
    ['is not what an earlier amount returned', two, [{ amount: 3_000 }, fee, last, {}], [3_000, 8_000, 2_000, 2_000]],
    ['is returned by a higher amount of other units', two, [fee, { amount: 7_000, lineItems: units({ B: 1 }) }], [8_000, 7_000]],
    [
      'is kept for each of several requests',
      two,
      [fee, { amount: 4_000, lineItems: units({ B: 1 }) }, {}],
      [8_000, 4_000, 3_000],
    ],
    [
      'leaves nothing for the last units after a large earlier amount',
      two,
      [{ amount: 9_000 }, { ...fee, amount: 1_000 }, last],
      [9_000, 1_000, 0],
    ],
  ])('%s', (_case, purchase, requests, amounts) => {
    expect(amountsOf(purchase, requests)).toEqual(amounts);
  });

  it('has the share of discounts and tax of its lines', () => {
    // The chairs have a value of 9,920, and the lamp one of 1,985 with 500 of shipping.
    expect(amountsOf(order, [{ amount: 100, lineItems: units({ CHAIR: 3 }) }, { lineItems: units({ LAMP: 1 }) }])).toEqual([
      100, 2_485,
    ]);
  });

  it('is not available for line items while other units remain', () => {
    const three = { ...two, leftCents: 20_000, lineItemsCents: 20_000, lines: [...lines, line('C', 5_000, 1)] };
    const before = withChange(withChange({ purchase: three, journal: [] }, 'refund', { amount: 6_000 }), 'refund', {
      ...fee,
      amount: 1_000,
    });
    expect(() => withChange(before, 'refund', last)).toThrow('4000 are left without the 9000 that earlier refunds kept');
    expect(withChange(before, 'refund', { ...last, amount: 5_000 }).purchase.leftCents).toBe(8_000);
  });

  it('has the value of the line items in the journal if less is left without it', () => {
    const { purchase, journal } = [{ amount: 3_000 }, fee].reduce((row, request) => withChange(row, 'refund', request), {
      purchase: two,
      journal: [],
    } as History);
    const adjustment = adjustmentOf('refund', last, purchase, keptByRefunds(purchase, journal));
    expect(adjustment).toEqual({ amountCents: 2_000, requestedCents: 5_000, lines: units({ B: 1 }) });
  });

  it('is nothing after a cancel, of which the last units cancel what remains', () => {
    const canceled = withChange({ purchase: two, journal: [] }, 'cancel', fee);
    expect(keptByRefunds(canceled.purchase, canceled.journal)).toBe(0);
    expect(withChange(canceled, 'cancel', last).purchase.leftCents).toBe(0);
  });

  it(
    'is what remains after any refunds of all units, less what they returned of shipping and by amount',
    () => {
      const purchases = fc.record({
        lines: fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.nat(50_000), fc.integer({ min: 1, max: 4 })), {
          minLength: 1,
          maxLength: 4,
        }),
        discountsCents: fc.nat(8_000),
        taxCents: fc.nat(5_000),
        shippingCents: fc.nat(2_000),
        customTotal: fc.option(fc.integer({ min: 1, max: 300_000 }), { nil: undefined }),
        steps: fc.array(
          fc.record({
            kind: fc.constantFrom('amount', 'lines', 'both'),
            pick: fc.nat(),
            share: fc.double({ min: 0, max: 1.3, noNaN: true }),
          }),
          {
            maxLength: 12,
          },
        ),
      });
      fc.assert(
        fc.property(purchases, ({ steps, ...given }) => {
          const items = given.lines.map(([sku, price, quantity]) => line(sku, price, quantity));
          const { discountsCents, taxCents, shippingCents } = given;
          const itemsCents = sum(items.map(({ price, quantity }) => price * quantity));
          const totalCents = given.customTotal ?? Math.max(1, itemsCents + taxCents + shippingCents - discountsCents);
          const lineItemsCents = totalLineValue({ totalCents, shippingCents });
          const costs = { lineItemsCents, discountsCents, taxCents };
          let history: History = { purchase: { ...costs, lines: items, leftCents: totalCents, adjusted: [] }, journal: [] };
          const values = unitValuesBySku(history.purchase);
          // Two accounts that add up to what remains: what the merchant has kept, and what it still owes for the units and the shipping.
          let keptCents = 0;
          let owedCents = totalCents;
          const payByAmount = (cents: number) => {
            const fromKept = Math.min(keptCents, cents);
            keptCents -= fromKept;
            owedCents -= cents - fromKept;
          };
          for (const { kind, pick, share } of steps) {
            const left = remainingQuantities(history.purchase);
            if (history.purchase.leftCents === 0) return;
            const chosen = left[pick % Math.max(1, left.length)];
            const isByAmount = kind === 'amount' || !chosen;
            const quantity = chosen ? 1 + (pick % chosen.quantity) : 0;
            const valueCents = isByAmount ? 0 : sum(values.get(chosen.sku)!.slice(0, quantity));
            const limit = isByAmount ? history.purchase.leftCents / 3 : valueCents;
            const amount = Math.min(history.purchase.leftCents, Math.max(1, Math.round(limit * share)));
            const lineItems = isByAmount ? undefined : [{ sku: chosen.sku, quantity }];
            const isLast = left.length === 1 && quantity === left[0]!.quantity;
            if (kind === 'lines' && !isByAmount && !isLast && valueCents > Math.max(0, owedCents)) {
              expect(() => withChange(history, 'refund', { lineItems })).toThrow('are left');
              continue;
            }
            history = withChange(history, 'refund', { lineItems, amount: kind === 'lines' && !isByAmount ? undefined : amount });
            if (!isByAmount) values.get(chosen.sku)!.splice(0, quantity);
            const paidCents = history.journal.at(-1)!.amountCents;
            if (isByAmount) payByAmount(amount);
            else if (kind === 'both') {
              owedCents -= valueCents;
              keptCents += Math.max(0, valueCents - amount);
              payByAmount(Math.max(0, amount - valueCents));
            } else {
              expect(paidCents).toBe(isLast ? Math.max(0, owedCents) : valueCents);
              owedCents -= paidCents;
            }
            expect(history.purchase.leftCents).toBe(keptCents + owedCents);
          }
          const whole = adjustmentOf('refund', {}, history.purchase);
          expect(whole.amountCents).toBe(history.purchase.leftCents);
        }),
        campaign(400),
      );
    },
    campaignTimeoutMs,
  );
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
