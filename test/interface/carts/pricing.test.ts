/** The total of a cart with items, and of a cart with a custom total. */
import { describe, expect, it } from 'vitest';
import { chair, completeCheckout, createCart, open } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { invalidAt } from '../invalid-at.ts';

const lamp = { ...chair, name: 'Lamp', sku: 'LAMP', price: 2_001, quantity: 3 };
const ground = { type: 'Ground', typeId: 'ground', cost: 500 };

const merchant = await (await startService()).createMerchant();

describe('The total of a cart', () => {
  const purchaseOf = async (options: object) =>
    (await merchant.get(`/transactions/${await completeCheckout(merchant, options)}`)).body;
  const post = (options: object) => merchant.post('/carts', { options });

  describe('with items [CART-20] [CART-24] [CART-25]', () => {
    it('is the sum of price times quantity', async () => {
      expect(await purchaseOf({ items: [chair, lamp] })).toMatchObject({
        total: 75_000 + 3 * 2_001,
        totalTax: null,
        shippingCost: 0,
      });
    });

    it('is reduced by the discounts [CART-29]', async () => {
      const discounts = [
        { amount: 1_000, description: 'Welcome' },
        { amount: 500, description: 'Again' },
      ];
      expect(await purchaseOf({ items: [chair], discounts })).toMatchObject({ total: 73_500 });
    });

    it('includes the tax and the shipping [CART-13] [CLIENT-12] [OBJ-15] [OBJ-10]', async () => {
      const options = { items: [chair], discounts: [{ amount: 1_000, description: 'x' }], shippingOptions: [ground], tax: 250 };
      expect(await purchaseOf(options)).toMatchObject({ total: 74_750, totalTax: 250, shippingCost: 500 });
    });

    it('is not returned as a custom total [OBJ-25]', async () => {
      expect(await createCart(merchant)).toMatchObject({ isCustomTotal: false });
    });

    it('must be at least one cent', async () => {
      const withDiscount = (amount: number) => ({ items: [chair], discounts: [{ amount, description: 'x' }] });
      expect(await createCart(merchant, withDiscount(74_999))).toMatchObject({ isCustomTotal: false });
      expect(await post(withDiscount(75_000))).toMatchObject(invalidAt('options'));
    });

    it('must be within the limits for every shipping option', async () => {
      const fullyDiscounted = { items: [chair], discounts: [{ amount: 75_000, description: 'x' }] };
      expect(await createCart(merchant, { ...fullyDiscounted, shippingOptions: [ground] })).toMatchObject({
        isCustomTotal: false,
      });
      const pickup = { type: 'Pick up', typeId: 'pickup', cost: 0 };
      expect(await post({ ...fullyDiscounted, shippingOptions: [ground, pickup] })).toMatchObject(invalidAt('options'));
    });
  });

  describe('with a customTotal [CART-30]', () => {
    it('is the customTotal [OBJ-25]', async () => {
      expect(await createCart(merchant, { items: undefined, customTotal: 60_000 })).toMatchObject({ isCustomTotal: true });
      expect(await purchaseOf({ items: undefined, customTotal: 60_000 })).toMatchObject({ total: 60_000, adjustedTotal: 60_000 });
    });

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

    it('must include the tax [CART-32]', async () => {
      const withTax = (tax: number) => ({ items: undefined, customTotal: 60_000, tax });
      expect(await createCart(merchant, withTax(60_000))).toMatchObject({ options: { tax: 60_000 } });
      expect(await post(withTax(60_001))).toMatchObject(invalidAt('options.tax'));
    });

    it('may be sent as 60000.0 [CLIENT-12] [CHOICE-20]', async () => {
      const response = await merchant.post('/carts', '{"options":{"customTotal":60000.0}}');
      expect(response).toMatchObject({ status: 200, body: { options: { customTotal: 60_000 } } });
    });

    it('is the customTotal even if items are empty or absent', async () => {
      for (const items of [undefined, null, []] as (undefined | [])[]) {
        expect(await createCart(merchant, { items, customTotal: 60_000 })).toMatchObject({ isCustomTotal: true });
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

  it('is quoted with the only shipping option, like in the checkout [CART-10] [CART-35]', async () => {
    const discounts = [{ amount: 1_000, description: 'Welcome' }];
    const cart = await createCart(merchant, { items: [chair], discounts, shippingOptions: [ground] });
    expect(cart).toMatchObject({ asLowAs: { monthly: 3_437, amount: '$34.37' } });
    expect((await merchant.get(`/carts/${cart.id}`)).body.asLowAs).toEqual(cart['asLowAs']);
    expect((await open(cart.url)).text).toContain('$745.00');
  });
});
