import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCart } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { messagesOf } from './sharing.ts';

describe('POST /carts/:cartId/email', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    merchant = await service.createMerchant();
  });
  const ada = { email: 'ada@example.com', name: 'Ada Lovelace' };
  const send = (id: string, body: unknown = ada) => merchant.post(`/carts/${id}/email`, body);

  it('returns 200 with a message and without a field named error [CART-40] [CHOICE-15] [CLIENT-16] [CLIENT-3]', async () => {
    const { id } = await createCart(merchant);
    const { status, body } = await send(id);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.stringMatching(/\w/) });
  });

  it('sends an email with the merchant, the link, its expiration date, the total and the quote with its disclosure', async () => {
    const cart = await createCart(
      merchant,
      { discounts: [{ amount: 1_000, description: 'Welcome' }] },
      { expiration: '2039-03-31' },
    );
    await send(cart.id);

    const [email, ...more] = await messagesOf(merchant);
    expect(more).toEqual([]);
    expect(email).toMatchObject({ channel: 'email', to: 'ada@example.com', subject: 'Your checkout at Acme Goods' });
    for (const part of ['Ada Lovelace', cart.url, 'March 31, 2039', 'Total: $740.00', 'As low as $34.14 a month. Example: ']) {
      expect(email!.text).toContain(part);
    }
    expect(email!.text).toContain((cart['asLowAs'] as { asLowAsText: string }).asLowAsText);
  });

  it('records the email in the sandbox without sending it [CART-41] [SVC-4]', async () => {
    const { id } = await createCart(merchant);
    await send(id);
    const rows = await service.database.query
      .selectFrom('outbox')
      .selectAll()
      .where('merchantId', '=', merchant.merchantId)
      .execute();
    expect(rows).toMatchObject([{ channel: 'email', dueAt: null, deliveredAt: null, attempts: 0 }]);
  });

  describe('rejects a cart', () => {
    const closed = { status: 400, body: { error: true, code: 'cart-closed' } };

    it('that the merchant has expired', async () => {
      const { id } = await createCart(merchant);
      await merchant.post(`/carts/${id}/expire`);
      expect(await send(id)).toMatchObject(closed);
    });

    it('that has expired', async () => {
      const now = service.clock.now();
      const { id } = await createCart(merchant);
      service.clock.moveTo('2039-01-01T00:00:00.000000Z');
      const response = await send(id);
      service.clock.moveTo(now);
      expect(response).toMatchObject(closed);
    });

    it('that is complete', async () => {
      const { id } = await createCart(merchant);
      await merchant.post('/sandbox/checkouts', { cartId: id });
      expect(await send(id)).toMatchObject(closed);
    });
  });

  it('does not log names and e-mail addresses', async () => {
    const { id } = await createCart(merchant);
    await send(id);
    await send(id, { ...ada, name: 'Ada\nLovelace' });
    expect(service.logged.join('')).not.toMatch(/Lovelace|ada@example/);
  });
});
