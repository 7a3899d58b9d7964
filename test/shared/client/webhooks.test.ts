import { describe, expect, it } from 'vitest';
import { CallbackError, verifyWebhook } from '../../../shared/client/index.ts';
import { otherSecret, signed } from './signed.ts';
import { createStandIn, errorResponse } from './stand-in.ts';

const eventOf = (number: number) => ({
  id: `0193-${number}`,
  type: 'transaction.settled',
  createdAt: '2026-11-21T12:00:00.000000Z',
  data: { transactionId: 'T', amount: 5_000 },
});

const webhook = {
  id: 'W',
  url: 'https://shop.example/',
  types: null,
  status: 'enabled',
  failingSince: null,
  disabledAt: null,
  createdAt: '2026-11-21T12:00:00.000000Z',
};

describe('verifyWebhook', () => {
  const body = JSON.stringify(eventOf(1));

  it('returns the event of an authentic request, also of a type that it does not know', async () => {
    expect(await verifyWebhook(signed({ body }))).toEqual(eventOf(1));
    const newer = { ...eventOf(1), type: 'order.shipped' };
    expect(await verifyWebhook(signed({ body: JSON.stringify(newer) }))).toEqual(newer);
  });

  it('rejects other secrets and other bodies', async () => {
    await expect(verifyWebhook({ ...signed({ body }), secrets: otherSecret })).rejects.toMatchObject({ code: 'bad-signature' });
    await expect(verifyWebhook(signed())).rejects.toMatchObject({ code: 'invalid-body' });
    await expect(verifyWebhook({ ...signed({ body }), now: 0 })).rejects.toThrow(CallbackError);
  });
});

describe('The list of events', () => {
  it('is fetched page by page, each after the last event of the one before', async () => {
    const pages = [[eventOf(1), eventOf(2)], [eventOf(3), eventOf(4)], []];
    const { fairterm, requests } = await createStandIn(pages.map((events) => ({ status: 200, body: { events } })));
    const received = [];
    for await (const { id } of fairterm.events.list({ type: 'transaction.settled' }, { pageSize: 2 })) received.push(id);
    expect(received).toEqual(['0193-1', '0193-2', '0193-3', '0193-4']);
    expect(requests.map(({ path }) => path)).toEqual([
      '/events?type=transaction.settled&limit=2',
      '/events?type=transaction.settled&limit=2&after=0193-2',
      '/events?type=transaction.settled&limit=2&after=0193-4',
    ]);
  });
});

describe('A webhook', () => {
  it('is created with its secret', async () => {
    const created = { ...webhook, secret: 'whsec_x' };
    const { fairterm, requests } = await createStandIn([{ status: 200, body: created }]);
    expect(await fairterm.webhooks.create({ url: webhook.url, types: ['cart.expired'] })).toEqual(created);
    expect(requests).toMatchObject([
      { method: 'POST', path: '/webhooks', body: '{"url":"https://shop.example/","types":["cart.expired"]}' },
    ]);
  });

  it('is deleted without an idempotency key, also if it does not exist', async () => {
    const { fairterm, requests } = await createStandIn([{ status: 204 }, errorResponse(404, 'webhook-not-found')]);
    await fairterm.webhooks.delete('W');
    await fairterm.webhooks.delete('W');
    expect(requests).toMatchObject([{ method: 'DELETE', path: '/webhooks/W' }, { method: 'DELETE' }]);
    expect(requests[0]!.headers).not.toHaveProperty('idempotency-key');
  });

  it.each([
    ['rotateSecret', '/webhooks/W/secrets', { ...webhook, secret: 'whsec_y' }],
    ['enable', '/webhooks/W/enable', webhook],
    ['retrieve', '/webhooks/W', webhook],
  ] as const)('has the operation %s', async (name, path, body) => {
    const { fairterm, requests } = await createStandIn([{ status: 200, body }]);
    expect(await fairterm.webhooks[name]('W')).toEqual(body);
    expect(requests).toMatchObject([{ path }]);
  });
});
