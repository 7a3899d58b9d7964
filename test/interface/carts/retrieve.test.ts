import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { chair, createCart } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { contact } from './contact.ts';
import { unknownCarts } from './ids.ts';

describe('GET /carts/:cartId [CART-36]', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });

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

  it('ignores a body, even if it is not valid JSON [CLIENT-21] [CHOICE-23]', async () => {
    const { id } = await createCart(merchant);
    // fetch cannot send a body with GET, but production clients do.
    const response = await request(`${service.publicUrl}/carts/${id}`, {
      method: 'GET',
      headers: { authorization: `Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secret}`).toString('base64')}` },
      body: '{broken',
    });
    await response.body.dump();
    expect(response.statusCode).toBe(200);
  });

  it('accepts a path that ends with a slash [CHOICE-22]', async () => {
    const cart = await createCart(merchant);
    expect(await merchant.get(`/carts/${cart.id}/`)).toMatchObject({ status: 200, body: { id: cart.id } });
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

  it.each(['%00', '%E0%A4%A', '%'])('returns 404 or 400 with the error body for the malformed path /carts/%s', async (id) => {
    const response = await merchant.get(`/carts/${id}`);
    expect([404, 400]).toContain(response.status);
    expect(response.body).toMatchObject({ error: true, type: 'INTERNAL_ERROR' });
  });

  it('responds to another merchant’s id as to an unknown id [CHOICE-11]', async () => {
    const { id: foreign } = await createCart(await service.createMerchant());
    const response = await merchant.get(`/carts/${foreign}`);
    const unknown = await merchant.get('/carts/unknown');
    expect([response.status, response.text]).toEqual([unknown.status, unknown.text]);
  });
});
