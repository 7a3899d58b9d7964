import { describe, expect, it } from 'vitest';
import { chair, createCart } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { contact } from './contact.ts';
import { unknownCarts } from './ids.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('GET /carts/:cartId [CART-36]', () => {
  it.each<[string, object]>([
    ['items', { orderRef: 'ORDER-2', billingContact: contact, discounts: [{ amount: 1, description: 'A cent' }] }],
    ['a custom total', { items: undefined, customTotal: 60_000 }],
  ])('returns a cart with %s as it was created [OBJ-19] [OBJ-20]', async (_title, options) => {
    const created = await createCart(merchant, options, { expiration: '2099-12-31', createdBy: 'Till 3' });
    const { status, body } = await merchant.get(`/carts/${created.id}`);
    expect([status, body]).toEqual([200, created]);
    expect(body).toMatchObject({
      id: created.id,
      createdBy: 'Till 3',
      merchantId: merchant.merchantId,
      url: expect.stringContaining('/c/'),
      expiration: '2099-12-31',
    });
  });

  it('returns the cart unchanged after its purchase [STATE-14]', async () => {
    const cart = await createCart(merchant, { items: [chair] });
    expect(await merchant.post('/sandbox/checkouts', { cartId: cart.id })).toMatchObject({ status: 200 });
    expect((await merchant.get(`/carts/${cart.id}`)).body).toEqual({ ...cart, status: 'completed' });
  });

  it.each(unknownCarts)('returns 404 with the error body for the id %s [CLIENT-16] [CHOICE-11]', async (id) => {
    const response = await merchant.get(`/carts/${encodeURIComponent(id)}`);
    expect([response.status, response.body]).toEqual([
      404,
      { description: 'Cart ID was invalid', error: true, type: 'INTERNAL_ERROR', code: 'cart-not-found' },
    ]);
  });
});
