import { create } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { cartTotals } from '../../../../server/purchases/carts/totals.ts';
import { orderOf } from '../../../../server/platform/listing/present.ts';
import { MAX_CENTS } from '../../../../shared/money.ts';
import { CartOptions } from '../../../../shared/wire/cart.ts';
import { Order } from '../../../../shared/wire/order.ts';
import { chair } from '../../../support/checkout.ts';

import fc from 'fast-check';

const ground = { type: 'Ground', typeId: 'ground', cost: 500 };
const discountOf = (amount: number) => ({ amount, description: 'Welcome' });
const lamp = { ...chair, name: 'Lamp', sku: 'LAMP-1', price: 10_000 };

function orderWith(options: object, shipping?: typeof ground): Order {
  const parsed = create(options, CartOptions);
  return orderOf(parsed, shipping, 'USD');
}

/** Returns subtotal, discounts, shipping, tax and total price. */
const amountsOf = ({ subTotal, totalDiscounts, totalShipping, totalTax, totalPrice }: Order) =>
  [subTotal, totalDiscounts, totalShipping, totalTax, totalPrice].map(({ value }) => value);

/** Returns quantity, unit price and unit tax of each line item. */
const linesOf = ({ items }: Order) => items.map(({ quantity, unitPrice, unitTax }) => [quantity, unitPrice.value, unitTax.value]);

describe('The order of a cart', () => {
  it('has the items of the cart in one currency', () => {
    const order = orderWith({ items: [{ ...chair, imageUrl: 'https://shop.example/chair.png' }], tax: 250 });
    const money = (value: number) => ({ currency: 'USD', value });
    expect(order).toEqual({
      subTotal: money(75_000),
      totalDiscounts: money(0),
      totalShipping: money(0),
      totalTax: money(250),
      totalPrice: money(75_250),
      items: [
        {
          name: 'Chair',
          sku: 'CHAIR-1',
          quantity: 1,
          unitPrice: money(75_000),
          unitTax: money(250),
          shippingCost: money(0),
          imageUrl: 'https://shop.example/chair.png',
          detailUrl: '',
          itemUrl: '',
        },
      ],
    });
  });

  it.each<[title: string, options: object, amounts: number[], lines: number[][]]>([
    [
      'discounts',
      { items: [chair], discounts: [discountOf(1_000), discountOf(500)] },
      [75_000, 1_500, 0, 0, 73_500],
      [[1, 75_000, 0]],
    ],
    [
      'a tax that is divisible by the quantity',
      { items: [{ ...lamp, quantity: 3 }], tax: 300 },
      [30_000, 0, 0, 300, 30_300],
      [[3, 10_000, 100]],
    ],
    [
      'a tax that is not divisible by the quantity',
      { items: [{ ...lamp, quantity: 3 }], tax: 302 },
      [30_000, 0, 0, 302, 30_302],
      [
        [1, 10_000, 100],
        [2, 10_000, 101],
      ],
    ],
    [
      'a tax with fewer cents than units',
      { items: [{ ...lamp, quantity: 10_000 }], tax: 1 },
      [100_000_000, 0, 0, 1, 100_000_001],
      [
        [9_999, 10_000, 0],
        [1, 10_000, 1],
      ],
    ],
    [
      'a tax, which is divided in proportion to the prices of the line items',
      { items: [chair, { ...lamp, price: 25_000 }], tax: 1_000 },
      [100_000, 0, 0, 1_000, 101_000],
      [
        [1, 75_000, 750],
        [1, 25_000, 250],
      ],
    ],
    [
      'a free item without tax',
      { items: [chair, { ...lamp, price: 0 }], tax: 1_000 },
      [75_000, 0, 0, 1_000, 76_000],
      [
        [1, 75_000, 1_000],
        [1, 0, 0],
      ],
    ],
    [
      'free items only, which share a tax',
      { items: [{ ...lamp, price: 0, quantity: 2 }], tax: 3 },
      [0, 0, 0, 3, 3],
      [
        [1, 0, 1],
        [1, 0, 2],
      ],
    ],
    ['a custom total that includes tax', { customTotal: 437, tax: 37 }, [400, 0, 0, 37, 437], []],
    ['a custom total below its tax', { customTotal: 437, tax: 500 }, [0, 0, 0, 437, 437], []],
    [
      'a custom total below its tax, of which discounts pay the rest',
      { customTotal: 437, tax: 500, discounts: [discountOf(100)] },
      [0, 63, 0, 500, 437],
      [],
    ],
    [
      'a custom total below its tax, of which discounts pay a part of the rest',
      { customTotal: 437, tax: 500, discounts: [discountOf(13)] },
      [0, 13, 0, 450, 437],
      [],
    ],
    ['a custom total below the price of the items', { customTotal: 437, items: [chair] }, [437, 0, 0, 0, 437], []],
    [
      'a custom total that differs from the sum of items, tax and discounts',
      { customTotal: 70_000, items: [chair], tax: 10, discounts: [discountOf(1)] },
      [69_990, 0, 0, 10, 70_000],
      [],
    ],
    [
      'a custom total equal to the sum of items, tax and discounts',
      { customTotal: 74_010, items: [chair], tax: 10, discounts: [discountOf(1_000)] },
      [75_000, 1_000, 0, 10, 74_010],
      [[1, 75_000, 10]],
    ],
  ])('is calculated for %s', (_title, options, amounts, lines) => {
    const order = orderWith(options);
    expect(amountsOf(order)).toEqual(amounts);
    expect(linesOf(order)).toEqual(lines);
  });

  it('uses the given currency', () => {
    const options = create({ customTotal: 437 }, CartOptions);
    expect(orderOf(options, undefined, 'KWD').totalPrice).toEqual({
      currency: 'KWD',
      value: 437,
    });
  });
});

describe('The order of a random cart', () => {
  const cents = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: MAX_CENTS }));
  const positive = cents.map((amount) => amount || 1);
  const item = fc
    .record({ price: cents, quantity: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 10_000 })) })
    .filter(({ price, quantity }) => price * quantity <= MAX_CENTS)
    .map((change) => ({ ...chair, ...change }));
  const anyCart = fc
    .record(
      {
        items: fc.array(item, { maxLength: 20 }),
        discounts: fc.array(positive.map(discountOf), { maxLength: 5 }),
        tax: cents,
        customTotal: positive,
        shipping: cents.map((cost) => ({ ...ground, cost })),
        isSum: fc.boolean(),
      },
      { requiredKeys: ['isSum'] },
    )
    .map(({ isSum, customTotal, shipping, ...rest }) => {
      const options = { ...rest, ...(customTotal !== undefined && { customTotal }) };
      const { itemsCents, discountsCents, shippingCents, taxCents } = cartTotals(options as CartOptions, shipping);
      const sum = itemsCents - discountsCents + shippingCents + (taxCents ?? 0);
      const isValidSum = isSum && customTotal !== undefined && sum >= 1 && sum <= MAX_CENTS;
      return { shipping, options: isValidSum ? { ...options, customTotal: sum } : options };
    })
    // Keep only carts that `POST /carts` accepts.
    .filter(({ options, shipping }) => {
      if (!CartOptions.is({ disableEditShipping: false, requireShippingContact: false, ...options })) return false;
      const { totalCents } = cartTotals(options as unknown as CartOptions, shipping);
      return totalCents >= 1 && totalCents <= MAX_CENTS;
    });

  const sumOf = (order: Order, field: 'unitPrice' | 'unitTax') =>
    order.items.reduce((sum, one) => sum + BigInt(one[field].value) * BigInt(one.quantity), 0n);

  it('has totals that add up to the cent', () => {
    fc.assert(
      fc.property(anyCart, ({ options, shipping }) => {
        const order = orderWith(options, shipping);
        const [sub, discounts, shipped, tax, price] = amountsOf(order).map(BigInt) as [bigint, bigint, bigint, bigint, bigint];
        expect(Math.min(...amountsOf(order))).toBeGreaterThanOrEqual(0);
        expect(price).toBeGreaterThan(0n);
        expect(price).toBe(sub + shipped + tax - discounts);
        const totals = cartTotals(create(options, CartOptions), shipping);
        expect(price).toBe(BigInt(totals.totalCents));
        expect(discounts, 'at most the discounts of the cart').toBeLessThanOrEqual(BigInt(totals.discountsCents));
        const statedTax = BigInt(Math.min(totals.taxCents ?? 0, totals.totalCents + totals.discountsCents));
        const leftAfterTax = price + discounts - tax;
        const cost = BigInt(totals.shippingCents);
        expect([shipped, tax], 'those of the transaction, if the total leaves them').toEqual([
          cost < leftAfterTax ? cost : leftAfterTax,
          statedTax,
        ]);
        if (order.items.length > 0) expect([sub, tax]).toEqual([sumOf(order, 'unitPrice'), sumOf(order, 'unitTax')]);
        expect(Order.is(order)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('has as many units as the cart, and at most two line items for each of its items', () => {
    fc.assert(
      fc.property(anyCart, ({ options, shipping }) => {
        const { items } = orderWith(options, shipping);
        if (items.length === 0) return;
        const totalOf = (lines: { quantity: number; price: number }[]) =>
          lines.map(({ quantity, price }) => quantity * price).reduce((sum, one) => sum + one, 0);
        const lines = options.items ?? [];
        expect(items.length).toBeLessThanOrEqual(2 * lines.length);
        expect(items.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(
          lines.reduce((sum, { quantity }) => sum + quantity, 0),
        );
        expect(totalOf(items.map(({ quantity, unitPrice }) => ({ quantity, price: unitPrice.value })))).toBe(totalOf(lines));
      }),
    );
  });
});
