import { describe, expect, it } from 'vitest';
import { createCart, open, reachAgreement, submit } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { dateIn } from '../../../shared/dates.ts';

/** The page of an expired link. */
const expiredLink = { status: 410, step: 'expired' };

const service = await startService();
const merchant = await service.createMerchant();

describe('POST /carts/:cartId/expire', () => {
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

  it('leaves the cart readable', async () => {
    const { id, url } = await createCart(merchant);
    await expire(id);
    expect(await merchant.get(`/carts/${id}`)).toMatchObject({ status: 200, body: { id, url } });
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
