import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCart } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { storedDeliveries } from '../../support/stored.ts';
import { messagesOf } from './sharing.ts';

describe('POST /carts/:cartId/text', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    merchant = await service.createMerchant();
  });
  const send = (id: string, body: unknown = { phone: '5550100100' }) => merchant.post(`/carts/${id}/text`, body);

  it('returns 200 with a message and without a field named error [CART-43] [CHOICE-15] [CLIENT-16] [CLIENT-3]', async () => {
    const { id } = await createCart(merchant);
    const { status, body } = await send(id);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.stringMatching(/\w/) });
  });

  it('sends one text message with the merchant, the link, STOP and HELP', async () => {
    const cart = await createCart(merchant);
    await send(cart.id);
    const [text, ...more] = await messagesOf(merchant);
    expect(more).toEqual([]);
    expect(text).toMatchObject({ channel: 'text', to: '5550100100', subject: '' });
    const options = 'Reply STOP to opt out, HELP for help.';
    expect(text!.text).toBe(`Acme Goods: continue your checkout at ${cart.url}\n${options}`);
  });

  it.each(['+5550100100', '+49 30 12345678', '+33 1 23 45 67 89'])('rejects %s, a number of another country', async (phone) => {
    const { id } = await createCart(merchant);
    expect(await send(id, { phone })).toMatchObject({ status: 400 });
  });

  it('records the text message in the sandbox without sending it [CART-44] [SVC-4]', async () => {
    const { id } = await createCart(merchant);
    await send(id);
    const rows = (await storedDeliveries(service.database)).filter(({ merchantId }) => merchantId === merchant.merchantId);
    expect(rows).toMatchObject([{ channel: 'text', url: 'tel:+15550100100', dueAt: null, deliveredAt: null, attempts: 0 }]);
  });

  it('rejects a closed cart with 400', async () => {
    const expired = await createCart(merchant);
    const completed = await createCart(merchant);
    await merchant.post(`/carts/${expired.id}/expire`);
    await merchant.post('/sandbox/checkouts', { cartId: completed.id });
    for (const { id } of [expired, completed]) {
      expect(await send(id)).toMatchObject({ status: 400, body: { error: true, code: 'cart-closed' } });
    }
  });
});
