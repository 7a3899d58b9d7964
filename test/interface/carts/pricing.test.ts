/** The total of a cart with items, and of a cart with a custom total. */
import { describe, expect, it } from 'vitest';
import { chair, completeCheckout, createCart, open } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const lamp = { ...chair, name: 'Lamp', sku: 'LAMP', price: 2_001, quantity: 3 };
const ground = { type: 'Ground', typeId: 'ground', cost: 500 };

const merchant = await (await startService()).createMerchant();

describe('The total of a cart', () => {
  const purchaseOf = async (options: object) =>
    (await merchant.get(`/transactions/${await completeCheckout(merchant, options)}`)).body;

  describe('with items [CART-20] [CART-24] [CART-25]', () => {
    it('is the sum of price times quantity', async () => {
      expect(await purchaseOf({ items: [chair, lamp] })).toMatchObject({
        total: 75_000 + 3 * 2_001,
        totalTax: null,
        shippingCost: 0,
      });
    });

    it('includes the tax and the shipping [CART-13] [CLIENT-12] [OBJ-15] [OBJ-10]', async () => {
      const options = { items: [chair], discounts: [{ amount: 1_000, description: 'x' }], shippingOptions: [ground], tax: 250 };
      expect(await purchaseOf(options)).toMatchObject({ total: 74_750, totalTax: 250, shippingCost: 500 });
    });
  });

  describe('with a customTotal [CART-30]', () => {
    it('ignores items, discounts, shipping and tax, whose sum may differ [CART-31] [CART-29] [CLIENT-12] [CHOICE-20]', async () => {
      const ignored = {
        items: [chair, lamp],
        discounts: [{ amount: 99_999_999, description: 'More than everything' }],
        shippingOptions: [ground],
        tax: 300,
      };
      const cart = await createCart(merchant, { ...ignored, customTotal: 50_000 });
      expect(cart).toMatchObject({ isCustomTotal: true, asLowAs: { monthly: 2_307 }, options: ignored });
      expect(await purchaseOf({ ...ignored, customTotal: 50_000 })).toMatchObject({
        total: 50_000,
        shippingCost: 500,
        totalTax: 300,
      });
    });

    it('may include a tax [CART-32]', async () => {
      for (const [tax, totalTax] of [
        [0, 0],
        [300, 300],
        [undefined, null],
      ] as const) {
        expect(await purchaseOf({ items: undefined, customTotal: 60_000, tax })).toMatchObject({ total: 60_000, totalTax });
      }
    });
  });

  it('is quoted without shipping until the buyer selects an option [CART-35] [OBJ-28]', async () => {
    const discounts = [{ amount: 1_000, description: 'Welcome' }];
    const shippingOptions = [ground, { type: 'Express', typeId: 'express', cost: 2_900 }];
    const cart = await createCart(merchant, { items: [chair], discounts, shippingOptions });
    expect(cart).toMatchObject({ asLowAs: { monthly: 3_414, amount: '$34.14' } });
    expect((await open(cart.url)).text).toContain('$740.00');
  });
});
