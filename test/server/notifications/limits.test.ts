import { describe, expect, it } from 'vitest';
import { completeCheckout, createCart } from '../../support/checkout.ts';
import { defaultEngine, describeOnEveryEngine } from '../../support/databases.ts';
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
  const storedCount = async () => (await service.database.query.selectFrom('outbox').select('id').execute()).length;
  return { service, merchant, id, email, text, storedCount };
};
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).sort((a, b) => a - b);

describeOnEveryEngine('The daily message limits', (engine) => {
  it('are exact for concurrent requests to one recipient, with any spelling of the e-mail address', async () => {
    const { email, storedCount } = await createLimitedCart(engine);
    const addresses = ['ada@example.com', 'ADA@example.com', 'ada+1@example.com', 'Ada+x+y@Example.com'];
    const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => email(addresses[index % 4]!)));

    expect(statusesOf(responses)).toEqual([200, 200, 200, ...Array<number>(9).fill(429)]);
    expect(await storedCount()).toBe(3);
    const rejected = responses.find(({ status }) => status === 429)!;
    expect(rejected.body).toEqual({
      description:
        'At path: email -- Expected at most 3 e-mails to one recipient a day, but received more. Retry after midnight UTC.',
      error: true,
      type: 'INTERNAL_ERROR',
      code: 'rate-limited',
    });
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(21_500);
    expect(seconds).toBeLessThanOrEqual(21_600);
  });

  it('are exact for concurrent requests of one merchant, and separate for other channels and merchants', async () => {
    const { service, merchant, email, text } = await createLimitedCart(engine);
    const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => email(`buyer${index}@example.com`)));
    expect(statusesOf(responses)).toEqual([200, 200, 200, 200, 200, ...Array<number>(7).fill(429)]);
    expect(responses.find(({ status }) => status === 429)!.body.description).toBe(
      'Expected at most 5 e-mails of one merchant a day, but received more. Retry after midnight UTC.',
    );

    expect(await text('5550100100')).toMatchObject({ status: 200 });
    const other = await service.createMerchant();
    const cart = await createCart(other);
    expect(await other.post(`/carts/${cart.id}/email`, { email: 'ada@example.com', name: 'Ada' })).toMatchObject({ status: 200 });
    expect(other.merchantId).not.toBe(merchant.merchantId);
  });
});

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
