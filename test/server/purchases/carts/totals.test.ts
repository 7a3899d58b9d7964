import { describe, expect, it } from 'vitest';
import { cartTotals, preselectedShipping } from '../../../../server/purchases/carts/totals.ts';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { chair } from '../../../support/checkout.ts';

const ground = { type: 'Ground', typeId: 'ground', cost: 500 };

describe('The totals of a cart', () => {
  const totalsOf = (options: Partial<CartOptions>, shipping?: typeof ground) => cartTotals(options as CartOptions, shipping);

  it('contain the sum of each part', () => {
    const discounts = [1_000, 500].map((amount) => ({ amount, description: '' }));
    expect(totalsOf({ items: [{ ...chair, quantity: 3 }, chair], discounts, tax: 250 }, ground)).toEqual({
      itemsCents: 300_000,
      discountsCents: 1_500,
      shippingCents: 500,
      taxCents: 250,
      totalCents: 299_250,
    });
    expect(totalsOf({ items: [chair] })).toMatchObject({ taxCents: null, totalCents: 75_000 });
  });

  it('include only the custom total, if there are also items, discounts, shipping and tax', () => {
    expect(totalsOf({ customTotal: 437 }).totalCents).toBe(437);
    const ignored = { items: [chair], tax: 9, discounts: [{ amount: 1, description: '' }] };
    expect(totalsOf({ customTotal: 437, ...ignored }, ground).totalCents).toBe(437);
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
