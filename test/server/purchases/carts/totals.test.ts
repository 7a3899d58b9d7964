import { describe, expect, it } from 'vitest';
import { cartTotals, preselectedShipping } from '../../../../server/purchases/carts/totals.ts';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { chair } from '../../../support/checkout.ts';

const ground = { type: 'Ground', typeId: 'ground', cost: 500 };

describe('The totals of a cart', () => {
  it.each<[string, Partial<CartOptions>, typeof ground | undefined, number]>([
    ['items', { items: [chair] }, undefined, 75_000],
    ['quantities', { items: [{ ...chair, quantity: 3 }] }, undefined, 225_000],
    [
      'discounts',
      {
        items: [chair],
        discounts: [
          { amount: 1_000, description: '' },
          { amount: 500, description: '' },
        ],
      },
      undefined,
      73_500,
    ],
    ['shipping', { items: [chair] }, ground, 75_500],
    ['tax', { items: [chair], tax: 250 }, undefined, 75_250],
    ['a custom total', { customTotal: 437 }, undefined, 437],
    [
      'only the custom total, if there are also items, discounts, shipping and tax',
      { customTotal: 437, items: [chair], tax: 9, discounts: [{ amount: 1, description: '' }] },
      ground,
      437,
    ],
  ])('include %s', (_title, options, shipping, expected) => {
    expect(cartTotals(options as CartOptions, shipping).totalCents).toBe(expected);
  });

  it('contain the sum of each part', () => {
    const options = { items: [chair], discounts: [{ amount: 1_000, description: '' }], tax: 250 } as unknown as CartOptions;
    expect(cartTotals(options, ground)).toEqual({
      itemsCents: 75_000,
      discountsCents: 1_000,
      shippingCents: 500,
      taxCents: 250,
      totalCents: 74_750,
    });
    expect(cartTotals({ items: [chair] } as unknown as CartOptions, undefined).taxCents).toBeNull();
  });

  it.each([
    [undefined, undefined],
    [[], undefined],
    [[ground], ground],
    [[ground, ground], undefined],
  ])('from the shipping options %j preselect %j', (shippingOptions, expected) => {
    expect(preselectedShipping({ shippingOptions } as CartOptions)).toEqual(expected);
  });
});
