import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../server/ids.ts';
import { createCart, open, reachAgreement, submit } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { dateIn } from '../../../shared/dates.ts';

/** The page of an expired link. */
const expiredLink = { status: 410, step: 'expired' };

describe('POST /carts/:cartId/expire', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const expire = (id: string, body?: unknown) => merchant.post(`/carts/${id}/expire`, body);
  const expired = { status: 204, text: '' };

  it.each([
    ['no body', undefined],
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['unknown fields', '{"reason":"sold"}'],
    ['an empty string', ''],
    ['incomplete JSON', '{"options":'],
    ['text that is not JSON', 'please'],
    ['deeply nested lists', `${'['.repeat(200)}${']'.repeat(200)}`],
    ['two megabytes', `"${'x'.repeat(2_000_000)}"`],
  ])('returns 204 without a body for %s [CART-37] [STATE-13] [CLIENT-15] [CHOICE-24]', async (_title, body) => {
    const cart = await createCart(merchant);
    expect(await expire(cart.id, body)).toMatchObject(expired);
    expect(await open(cart.url)).toMatchObject(expiredLink);
  });

  it('returns 204 again if the cart is already expired [CLIENT-15] [CHOICE-12]', async () => {
    const { id } = await createCart(merchant);
    for (let count = 0; count < 3; count++) expect(await expire(id)).toMatchObject(expired);
  });

  it('returns 204 for a cart past its expiration date', async () => {
    const now = service.clock.now();
    const { id } = await createCart(merchant, {}, { expiration: dateIn(now, 'UTC') });
    service.clock.moveTo('2039-01-01T00:00:00.000000Z');
    const response = await expire(id);
    service.clock.moveTo(now);
    expect(response).toMatchObject(expired);
  });

  it('returns 204 for a completed cart and leaves it completed [CLIENT-15] [CHOICE-12]', async () => {
    const cart = await createCart(merchant);
    const { body } = await merchant.post('/sandbox/checkouts', { cartId: cart.id });

    expect(await expire(cart.id)).toMatchObject(expired);

    expect(await open(cart.url)).toMatchObject({ step: 'bought' });
    expect(await merchant.get(`/transactions/${body.transactionId}`)).toMatchObject({ body: { status: 'PENDING' } });
  });

  it('accepts a trailing slash [CHOICE-22]', async () => {
    const { id } = await createCart(merchant);
    expect(await merchant.post(`/carts/${id}/expire/`, '[')).toMatchObject(expired);
  });

  it('leaves the cart readable', async () => {
    const { id, url } = await createCart(merchant);
    await expire(id);
    expect(await merchant.get(`/carts/${id}`)).toMatchObject({ status: 200, body: { id, url } });
  });

  it('returns 404, like GET, for an unknown cart and for a cart of another merchant, which stays open [CLIENT-16] [CHOICE-11]', async () => {
    const other = await service.createMerchant();
    const foreign = await createCart(other);
    for (const id of [newId(), 'unknown', '%00', foreign.id]) {
      const response = await expire(id);
      const readResponse = await merchant.get(`/carts/${id}`);
      expect(response).toMatchObject({ status: 404, body: { error: true, code: 'cart-not-found' } });
      expect(response.body).toEqual(readResponse.body);
    }
    expect(await open(foreign.url)).toMatchObject({ step: 'details' });
  });

  it('rejects requests without credentials or with other methods', async () => {
    const { id } = await createCart(merchant);
    const response = await fetch(`${service.publicUrl}/carts/${id}/expire`, { method: 'POST' });
    expect(response.status).toBe(401);
    expect(await merchant.get(`/carts/${id}/expire`)).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } });
    expect(await merchant.call('PUT', `/carts/${id}/expire`)).toMatchObject({ status: 405 });
  });

  describe('ends a checkout', () => {
    it('that is in progress [STATE-13]', async () => {
      const cart = await createCart(merchant);
      const details = await open(cart.url);
      await expire(cart.id);
      expect(await submit(details)).toMatchObject(expiredLink);
    });

    it('that is ready to be signed', async () => {
      const cart = await createCart(merchant);
      const agreement = await reachAgreement(cart.url);
      await expire(cart.id);
      expect(await submit(agreement)).toMatchObject(expiredLink);
      expect(await merchant.post('/sandbox/checkouts', { cartId: cart.id })).toMatchObject({
        status: 400,
        body: { code: 'cart-closed' },
      });
    });
  });
});
