import { describe, expect, it } from 'vitest';
import { createCart } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('Updating a cart [CART-38] [STATE-14]', () => {
  it.each(['PUT', 'PATCH', 'DELETE'])('with %s responds 405 with the allowed methods and changes nothing', async (method) => {
    const cart = await createCart(merchant);
    const body = '{"options":{"customTotal":1}}';
    for (const path of [`/carts/${cart.id}`, `/carts/${cart.id}/`]) {
      const response = await merchant.call(method, path, { body });
      expect([response.status, response.body]).toEqual([
        405,
        { description: expect.stringContaining(method), error: true, type: 'INTERNAL_ERROR', code: 'method-not-allowed' },
      ]);
      expect(response.headers.get('allow')).toContain('GET');
    }
    expect((await merchant.get(`/carts/${cart.id}`)).body).toEqual(cart);
  });

  it('with POST and the id of an existing cart creates a new cart', async () => {
    const cart = await createCart(merchant);
    const options = { orderRef: 'NEXT', customTotal: 100 };
    const { body: next } = await merchant.post('/carts', { id: cart.id, url: cart.url, options });
    expect([next.id, next.url]).not.toEqual([cart.id, cart.url]);
    expect((await merchant.get(`/carts/${cart.id}`)).body).toEqual(cart);
  });
});
