import { is } from 'superstruct';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MessagesResponse } from '../../../shared/wire/sandbox.ts';
import { createCart } from '../../support/checkout.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../support/service.ts';

describe('GET /sandbox/messages', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    merchant = await service.createMerchant();
  });
  const list = () => merchant.get('/sandbox/messages');
  const sendText = (id: string, phone: string) => merchant.post(`/carts/${id}/text`, { phone });

  it('returns an empty list if there are no messages', async () => {
    expect(await list()).toMatchObject({ status: 200, body: { messages: [] } });
  });

  it('lists e-mails and text messages, newest first, regardless of the sandbox clock', async () => {
    const { id } = await createCart(merchant);
    const now = service.clock.now();
    await sendText(id, '5550100101');
    service.clock.moveTo('2020-01-01T00:00:00.000000Z');
    await merchant.post(`/carts/${id}/email`, { email: 'ada+shop@example.com', name: 'Ada' });
    service.clock.moveTo(now);
    await sendText(id, '5550100102');

    const { body } = await list();
    expect(is(body, MessagesResponse)).toBe(true);
    expect(body.messages).toMatchObject([
      { channel: 'text', to: '5550100102', subject: '' },
      { channel: 'email', to: 'ada+shop@example.com', createdAt: expect.stringMatching(/^2020-01-01T/) },
      { channel: 'text', to: '5550100101', subject: '' },
    ]);
  });

  it('returns only the messages of the merchant', async () => {
    const other = await service.createMerchant();
    await other.post(`/carts/${(await createCart(other)).id}/text`, { phone: '5550100100' });
    expect((await list()).body).toEqual({ messages: [] });
  });

  it('returns at most 100 messages', async () => {
    const { id } = await createCart(merchant);
    for (let count = 0; count < 102; count++) await sendText(id, `5550100${100 + count}`);
    const { messages } = (await list()).body;
    expect(messages).toHaveLength(100);
    expect([messages[0].to, messages[99].to]).toEqual(['5550100201', '5550100102']);
  });

  it('returns no callbacks, and requires credentials', async () => {
    const { id: cartId } = await createCart(merchant, { callbackUrl: 'http://127.0.0.1:65535/callback' });
    await merchant.post('/sandbox/checkouts', { cartId });
    const { messages } = (await list()).body as MessagesResponse;
    expect(messages.map(({ channel, subject }) => [channel, subject])).toEqual([
      ['email', 'Your agreement with Fairterm Lending'],
      ['email', 'About your application to Fairterm Lending'],
    ]);
    expect(await fetchResponse(`${service.publicUrl}/sandbox/messages`)).toMatchObject({ status: 401 });
  });
});
