/** Values at the limits are stored completely, and can be purchased, canceled and refunded to the cent. */
import { describe, expect, it } from 'vitest';
import { chair, createCart, completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { invalidAt } from '../invalid-at.ts';

const MAX_CENTS = 99_999_999_999;
const emojis = (count: number) => '🪑'.repeat(count / 2);
/** Letters outside the Basic Multilingual Plane, which names may contain. */
const name = (count: number) => '𐐀'.repeat(count / 2);
const urlOf = (count: number) => `https://shop.example/${'x'.repeat(count - 21)}`;

const merchant = await (await startService()).createMerchant();

describe('The largest', () => {
  it('texts of a cart are stored and returned in the transaction [LIM-4]', async () => {
    const contact = {
      firstName: name(100),
      lastName: name(100),
      address: emojis(200),
      address2: emojis(200),
      city: name(100),
      state: 'IL',
      email: `a@${`${'x'.repeat(63)}.`.repeat(3)}${'x'.repeat(56)}.com`,
      phone: '5550100100',
      zip: '62701',
    };
    const items = [
      { name: emojis(500), sku: emojis(200), price: 75_000, quantity: 1, imageUrl: urlOf(2_000), detailUrl: emojis(2_000) },
    ];
    const options = {
      orderRef: emojis(200),
      createdBy: emojis(200),
      cartName: emojis(200),
      completeUrl: urlOf(2_000),
      errorUrl: urlOf(2_000),
      items,
      discounts: [{ amount: 1, description: emojis(500) }],
      shippingOptions: [{ type: emojis(200), typeId: emojis(200), cost: 1 }],
      billingContact: contact,
      shippingContact: contact,
    };
    const cart = await createCart(merchant, options);
    expect(cart).toMatchObject({ createdBy: emojis(200), cartName: emojis(200), options });
    expect((await merchant.get(`/carts/${cart.id}`)).body).toEqual(cart);

    const { transaction } = await completeCheckoutAndAct(
      merchant,
      [{ type: 'authorize', merchantOrderId: emojis(200) }],
      options,
    );
    const { name: itemName, sku, imageUrl, detailUrl } = items[0]!;
    expect(transaction).toMatchObject({
      merchantOrderId: emojis(200),
      shippingMethodCode: emojis(200),
      lineItems: [{ sku, product: { name: itemName, sku, imageUrl, detailUrl } }],
      billingContact: { fullName: `${name(100)} ${name(100)}`, address: emojis(200), email: contact.email },
    });
  });

  it('lists of a cart are stored, and can be canceled by line items [LIM-5]', async () => {
    const items = Array.from({ length: 500 }, (_, index) => ({ ...chair, sku: `S-${index}`, price: 999 }));
    const discounts = Array.from({ length: 100 }, (_, index) => ({ amount: 7, description: `D-${index}` }));
    const shippingOptions = Array.from({ length: 50 }, (_, index) => ({ type: 'Ground', typeId: `T-${index}`, cost: index }));
    const allItems = items.map(({ sku }) => ({ sku, quantity: 1 }));
    const { transaction } = await completeCheckoutAndAct(
      merchant,
      [
        { type: 'authorize' },
        { type: 'cancel', lineItems: allItems.slice(0, 250) },
        { type: 'cancel', lineItems: allItems.slice(250) },
      ],
      { items, discounts, shippingOptions },
    );
    expect(transaction).toMatchObject({ status: 'CANCELED', total: 500 * 999 - 700, adjustedTotal: 0 });
    expect([transaction.lineItems.length, transaction.discounts.length]).toEqual([500, 100]);
  });

  it('amounts of a cart and their sum are stored exactly, and one more cent is rejected [LIM-6]', async () => {
    const optionsOf = (price: number, tax: number) => ({ items: [{ ...chair, price }], tax });
    const cart = await createCart(merchant, optionsOf(MAX_CENTS - 1, 1));
    expect((await merchant.get(`/carts/${cart.id}`)).body.options).toMatchObject({ items: [{ price: MAX_CENTS - 1 }], tax: 1 });
    expect(await merchant.post('/carts', { options: optionsOf(MAX_CENTS, 1) })).toMatchObject(invalidAt('options'));
  });

  it('quantity is accepted up to the limit of price times quantity [LIM-6]', async () => {
    const cartOf = (price: number, quantity: number) => ({ options: { items: [{ ...chair, price, quantity }] } });
    expect(await merchant.post('/carts', cartOf(9_999_999, 10_000))).toMatchObject({ status: 200 });
    expect(await merchant.post('/carts', cartOf(10_000_000, 10_000))).toMatchObject(invalidAt('options.items.0'));
  });
});
