/** The merchant API for webhooks, with a service that delivers. */
import { expect, it } from 'vitest';
import { isSignedWebhook, webhookKey } from '../../../../shared/webhooks.ts';
import { completeCheckout } from '../../../support/checkout.ts';
import { describeOnEveryEngine, everythingStored } from '../../../support/databases.ts';
import { type Received, startReceiver } from '../../../support/http.ts';
import { startService, type TestMerchant } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';

/** Returns true if a request is signed with a secret. */
async function isSigned({ headers, body }: Received, secret: string): Promise<boolean> {
  const signed = {
    id: String(headers['webhook-id']),
    timestamp: String(headers['webhook-timestamp']),
    signature: String(headers['webhook-signature']),
    body: new TextEncoder().encode(body),
  };
  return isSignedWebhook(signed, [await webhookKey(secret)]);
}

describeOnEveryEngine('A webhook', async (engine) => {
  const service = await startService(engine);
  const merchant = await service.createMerchant();
  const create = async (body: object, of = merchant) => (await of.post('/webhooks', body)).body;
  /** Creates a webhook, and removes the test event that it is sent from what its receiver has received. */
  const createWithReceiver = async ({ types, of = merchant }: { types?: string[]; of?: TestMerchant } = {}) => {
    const receiver = await startReceiver();
    const { id, secret }: { id: string; secret: string } = await create({ url: receiver.url, types }, of);
    await until(async () => (await of.get(`/webhooks/${id}/deliveries`)).body.deliveries[0]?.state === 'delivered');
    const [test] = receiver.received.splice(0);
    return { id, secret, receiver, test: test! };
  };

  it('receives the events of its types, signed, and another one receives all', async () => {
    const shop = await service.createMerchant();
    const { receiver: some, secret } = await createWithReceiver({ types: ['transaction.created'], of: shop });
    const { receiver: all } = await createWithReceiver({ of: shop });
    const transactionId = await completeCheckout(shop, { orderRef: 'ORDER-1' });
    const [request] = await until(() => some.received.length > 0 && some.received);
    await until(() => all.received.length === 2);

    const { body } = await shop.get(`/events?transactionId=${transactionId}`);
    expect(JSON.parse(request!.body)).toEqual(body.events[0]);
    expect(request!.headers['webhook-id']).toBe(body.events[0].id);
    expect(await isSigned(request!, secret)).toBe(true);
    expect(some.received).toHaveLength(1);
    const types = all.received.map((one): string => JSON.parse(one.body).type);
    expect(types.toSorted()).toEqual(['application.approved', 'transaction.created']);
  });

  it('has a secret that is shown once and stored encrypted', async () => {
    const receiver = await startReceiver();
    const { host } = new URL(receiver.url);
    const created = await create({ url: `http://user:hunter2@${host}/events` });
    expect(created).toMatchObject({ status: 'enabled', types: null, url: `http://user:***@${host}/events` });
    expect(created.secret).toMatch(/^whsec_/);
    const { secret, ...shown } = created;
    expect((await merchant.get(`/webhooks/${created.id}`)).body).toEqual(shown);
    expect((await merchant.get('/webhooks')).body.webhooks).toContainEqual(shown);
    const stored = await everythingStored(service.database, { isSealed: true });
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain('hunter2');
    expect(service.logged.join()).not.toContain(secret);
    await merchant.call('DELETE', `/webhooks/${created.id}`);
  });

  it('can be tested ten times in a minute', async () => {
    const { id } = await create({ url: 'https://shop.example/' });
    const other = await create({ url: 'https://shop.example/' });
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await merchant.post(`/webhooks/${id}/test`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    const limited = await merchant.post(`/webhooks/${id}/test`);
    expect(limited.body).toMatchObject({ code: 'rate-limited' });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await merchant.post(`/webhooks/${other.id}/test`)).status).toBe(200);
    for (const each of [id, other.id]) await merchant.call('DELETE', `/webhooks/${each}`);
  });

  it('signs with the old and the new secret for a day after a rotation', async () => {
    const { id, secret: first, receiver } = await createWithReceiver();
    const { secret: second } = (await merchant.post(`/webhooks/${id}/secrets`)).body;
    const { body: delivery } = await merchant.post(`/webhooks/${id}/test`);
    await until(() => receiver.received.length > 0);
    const [request] = receiver.received as [Received];
    expect(await Promise.all([isSigned(request, first), isSigned(request, second)])).toEqual([true, true]);
    expect(JSON.parse(request.body)).toMatchObject({ id: delivery.eventId, type: 'webhook.test', data: { webhookId: id } });

    const { secret: third } = (await merchant.post(`/webhooks/${id}/secrets`)).body;
    await merchant.post(`/webhooks/${id}/test`);
    const last = await until(() => receiver.received[1]);
    expect(await Promise.all([first, second, third].map((secret) => isSigned(last, secret)))).toEqual([false, true, true]);
    await merchant.call('DELETE', `/webhooks/${id}`);
  });

  it('receives an event again, whatever its types, and lists each attempt', async () => {
    const { id, receiver } = await createWithReceiver({ types: ['transaction.created'] });
    const transactionId = await completeCheckout(merchant);
    const [event] = (await merchant.get(`/events?transactionId=${transactionId}`)).body.events;
    await until(async () => {
      const [latest] = (await merchant.get(`/webhooks/${id}/deliveries`)).body.deliveries;
      return latest?.eventId === event.id && latest.state === 'delivered';
    });
    for (let count = 0; count < 2; count += 1) {
      const { body } = await merchant.post(`/webhooks/${id}/deliveries`, { eventId: event.id });
      expect(body).toMatchObject({ eventId: event.id, eventType: 'transaction.created', state: 'pending' });
      await until(async () => (await merchant.get(`/webhooks/${id}/deliveries`)).body.deliveries[0].state === 'delivered');
    }
    expect(receiver.received.map((request) => request.headers['webhook-id'])).toEqual([event.id, event.id, event.id]);
    const { body: list } = await merchant.get(`/webhooks/${id}/deliveries`);
    expect(list.deliveries.map(({ eventType }: { eventType: string }) => eventType)).toEqual([
      'transaction.created',
      'webhook.test',
    ]);
    expect(list.deliveries[0].attempts).toHaveLength(3);
    expect(list.deliveries[0].attempts[0]).toMatchObject({ statusCode: 204, failure: '' });

    const [approved] = (await merchant.get('/events?type=application.approved')).body.events;
    await merchant.post(`/webhooks/${id}/deliveries`, { eventId: approved.id });
    await until(() => receiver.received.length === 4);
    const first = await merchant.get(`/webhooks/${id}/deliveries?limit=1`);
    const next = /<([^>]+)>/.exec(first.headers.get('link')!)![1]!.replace(service.publicUrl, '');
    const second = await merchant.get(next);
    const ids = [...first.body.deliveries, ...second.body.deliveries].map(({ eventId }: { eventId: string }) => eventId);
    expect(new Set(ids)).toEqual(new Set([event.id, approved.id]));
    await merchant.call('DELETE', `/webhooks/${id}`);
  });

  it.each([
    [{ url: 'ftp://shop.example/' }, 'At path: url'],
    [{ url: 'https://10.0.0.1/' }, 'At path: url -- Expected a URL with a host on the public internet'],
    [{ url: 'https://shop.example:25/' }, 'At path: url -- Expected a URL with the port'],
    [{ url: 'https://shop.example/', types: [] }, 'At path: types'],
    [{ url: 'https://shop.example/', types: ['order.shipped'] }, 'At path: types.0'],
  ])('is not created for %o', async (body, message) => {
    const response = await merchant.post('/webhooks', body);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect(response.body.description).toContain(message);
  });

  it('is not created again and again to send its test to any URL', async () => {
    const shop = await service.createMerchant();
    const receiver = await startReceiver();
    let created = 0;
    for (; created < 100; created += 1) {
      const { status: code, body } = await shop.post('/webhooks', { url: receiver.url });
      if (code === 429) break;
      await shop.call('DELETE', `/webhooks/${body.id}`);
    }
    expect(created).toBe(60);
    expect((await shop.get('/webhooks')).body.webhooks).toEqual([]);
  });

  it('is one of at most ten', async () => {
    const shop = await service.createMerchant();
    for (let count = 0; count < 10; count += 1) await create({ url: 'https://shop.example/' }, shop);
    expect(await shop.post('/webhooks', { url: 'https://shop.example/' })).toMatchObject({
      status: 400,
      body: { code: 'invalid-request' },
    });
  });
});
