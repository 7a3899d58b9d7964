import { describe, expect, it } from 'vitest';
import { completeCheckout, createCart } from '../../support/checkout.ts';
import { defaultEngine } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';

const limits = { perRecipient: 3, perMerchant: 5 };

const createLimitedCart = async (engine = defaultEngine, messageLimits = { email: limits, text: limits }) => {
  const service = await startService(engine, { messageLimits });
  service.clock.moveTo('2026-11-22T18:00:00.000000Z');
  const merchant = await service.createMerchant();
  const { id } = await createCart(merchant, {}, { expiration: '2026-11-30' });
  const email = (to: string, headers = {}) =>
    merchant.call('POST', `/carts/${id}/email`, { headers, body: JSON.stringify({ email: to, name: 'Ada' }) });
  const text = (phone: string) => merchant.post(`/carts/${id}/text`, { phone });
  const storedCount = async () =>
    (await service.database.query.selectFrom('outbox').select('id').where('channel', '=', 'email').execute()).length;
  return { service, merchant, id, email, text, storedCount };
};
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).sort((a, b) => a - b);

describe('The daily message limits', () => {
  it('apply to texts to one phone number', async () => {
    const { text } = await createLimitedCart();
    const responses = await Promise.all(Array.from({ length: 6 }, () => text('(555) 010-0100')));
    expect(statusesOf(responses)).toEqual([200, 200, 200, 429, 429, 429]);
    expect(responses.find(({ status }) => status === 429)!.body.description).toContain(
      'At path: phone -- Expected at most 3 texts to one recipient a day',
    );
  });

  it('are reset at midnight UTC, and a rejected request can then be retried with its idempotency key', async () => {
    const { service, email } = await createLimitedCart();
    for (let sent = 0; sent < 3; sent++) await email('ada@example.com');
    const headers = { 'idempotency-key': 'email-4' };
    expect(await email('ada@example.com', headers)).toMatchObject({ status: 429 });
    service.clock.moveTo('2026-11-23T00:00:00.000000Z');
    expect(await email('ada@example.com', headers)).toMatchObject({ status: 200 });
  });

  it('do not count rejected requests and retries with an idempotency key', async () => {
    const { email, id, merchant } = await createLimitedCart();
    for (let sent = 0; sent < 5; sent++) await email('ada@example.com', { 'idempotency-key': 'email-1' });
    expect(await email('ada@example.com')).toMatchObject({ status: 200 });
    await merchant.post(`/carts/${id}/email`, { email: 'ada@example.com', name: '' });
    expect(await email('ada@example.com')).toMatchObject({ status: 200 });
    expect(await email('ada@example.com')).toMatchObject({ status: 429 });
  });

  it('do not apply to e-mails about decisions and agreements, which the law requires', async () => {
    const { merchant, email, storedCount } = await createLimitedCart(defaultEngine, {
      email: { perRecipient: 1, perMerchant: 1 },
      text: limits,
    });
    expect(await email('ada@example.com')).toMatchObject({ status: 200 });
    for (let purchases = 0; purchases < 2; purchases++) await completeCheckout(merchant);
    const denied = await createCart(merchant);
    await merchant.post('/sandbox/checkouts', { cartId: denied.id, outcome: 'denied' });
    expect(await storedCount()).toBe(6);
    expect(await email('ada@example.com')).toMatchObject({ status: 429 });
  });

  it('are disabled with 0', async () => {
    const unlimited = { perRecipient: 0, perMerchant: 0 };
    const { email, service } = await createLimitedCart(defaultEngine, { email: unlimited, text: unlimited });
    const responses = await Promise.all(Array.from({ length: 12 }, () => email('ada@example.com')));
    expect(new Set(statusesOf(responses))).toEqual(new Set([200]));
    expect(await service.database.query.selectFrom('message_counts').selectAll().execute()).toEqual([]);
  });
});
