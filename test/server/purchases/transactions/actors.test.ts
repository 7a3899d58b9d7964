import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '../../../../server/base/actor.ts';
import { expireTransactions } from '../../../../server/purchases/transactions/expire.ts';
import { DAY_MS, plusDays, systemClock } from '../../../../server/base/time.ts';
import { completeCheckout } from '../../../support/checkout.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { startService, type TestMerchant, type TestService } from '../../../support/service.ts';
import { transactions } from '../../../support/purchases.ts';

describeOnEveryEngine('The journal of a transaction', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  let key: Actor;
  beforeAll(async () => {
    service = await startService(engine);
    merchant = await service.createMerchant();
    key = `key:${merchant.apiKey.slice(-8)}`;
  });
  const journalOf = (id: string) =>
    service.database.query
      .selectFrom('transaction_entries')
      .select(['type', 'actor', 'reason'])
      .where('transactionId', '=', id)
      .orderBy('sequence')
      .execute();
  const post = async (id: string, body: object) =>
    expect(await merchant.post(`/transactions/actions/${id}`, body)).toMatchObject({ status: 200 });

  it('contains the buyer as the actor of the signature and the key as the actor of each request', async () => {
    const id = await completeCheckout(merchant);
    await post(id, { type: 'authorize' });
    await post(id, { type: 'cancel', amount: 100 });
    await post(id, { type: 'settle' });
    await post(id, { type: 'refund', amount: 100 });
    await merchant.call('PUT', `/transactions/${id}`, { body: '{"merchantOrderId":"M-1"}' });
    await merchant.post(`/transactions/${id}/shipment`, { carrierName: 'Post' });

    expect(await journalOf(id)).toEqual([
      { type: 'created', actor: 'buyer', reason: null },
      ...['authorized', 'canceled', 'settled', 'refunded', 'order-id-set', 'shipped'].map((type) => ({
        type,
        actor: key,
        reason: null,
      })),
    ]);
  });

  it('contains the service as the actor of an expiry and its reason, for expiry by a job and by a request', async () => {
    const pending = await completeCheckout(merchant);
    const authorized = await completeCheckout(merchant);
    const changed = await completeCheckout(merchant);
    await post(authorized, { type: 'authorize' });
    try {
      await merchant.post('/sandbox/clock', { now: new Date(Date.now() + 8 * DAY_MS).toISOString() });
      await merchant.call('PUT', `/transactions/${changed}`, { body: '{"merchantOrderId":"M-1"}' });
    } finally {
      await merchant.post('/sandbox/clock', { now: new Date().toISOString() });
    }
    const now = plusDays(systemClock.now(), 91);
    const onError = (thrown: unknown) => {
      throw thrown;
    };
    await expireTransactions({ database: service.database, transactions, now, onError });

    const expired = { type: 'expired', actor: 'system' };
    expect((await journalOf(pending)).at(-1)).toEqual({ ...expired, reason: 'not-authorized-in-time' });
    expect((await journalOf(authorized)).at(-1)).toEqual({ ...expired, reason: 'not-settled-in-time' });
    expect((await journalOf(changed)).slice(1)).toEqual([
      { ...expired, reason: 'not-authorized-in-time' },
      { type: 'order-id-set', actor: key, reason: null },
    ]);
  });
});
