/** Webhooks whose receivers fail, with a clock that the tests advance. */
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../server/base/ids.ts';
import { createSender } from '../../../../server/messages/callback.ts';
import { circuitAfter, circuitState } from '../../../../server/messages/circuit-breaker.ts';
import { redeliver } from '../../../../server/messages/deliveries.ts';
import { retryWaitsOf } from '../../../../server/messages/deliver.ts';
import { DAY_MS, epochMs, type Instant } from '../../../../server/base/time.ts';
import { enqueueDeliveries } from '../../../../server/messages/webhooks/enqueue.ts';
import { type DisabledWebhook, webhookSender } from '../../../../server/messages/webhooks/sender.ts';
import { findReceiver, recordEvent, saveWebhookState } from '../../../../server/messages/webhooks/store.ts';
import {
  createWebhook,
  deliveriesOfTransaction,
  enableWebhook,
  listWebhookDeliveries,
  removeWebhook,
  replayEvent,
  testWebhook,
} from '../../../../server/messages/webhooks/webhooks.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { type Received, status } from '../../../support/http.ts';
import { until } from '../../../support/time.ts';
import { startDelivering } from '../delivering.ts';

const rules = { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } as const;

describeOnEveryEngine('The delivery of events', (engine) => {
  const { startReceiver, addMerchant, clock, now, database, secondDatabase, merchantId, advanceClock, start } =
    startDelivering(engine);
  let disabled: DisabledWebhook[];
  beforeEach(async () => {
    disabled = [];
    await database().write(async (tx) => {
      await tx.deleteFrom('events').execute();
      await tx.deleteFrom('webhooks').execute();
    });
  });

  const requestOf = (ofMerchantId = merchantId()) =>
    ({ database: database(), merchantId: ofMerchantId, actor: 'console', now: now() }) as const;
  const addNewWebhook = (url: string, ofMerchantId = merchantId()) =>
    createWebhook(requestOf(ofMerchantId), { url, types: undefined }, rules);
  /** Adds a webhook that has received its test event. */
  const addWebhook = async (url: string, ofMerchantId = merchantId()) => {
    const id = await addNewWebhook(url, ofMerchantId);
    await database().write(async (tx) => {
      await saveWebhookState(tx, id, { confirmedAt: now() });
      await tx.deleteFrom('outbox').where('endpoint', '=', id).execute();
    });
    return id;
  };
  const addEvents = async (count: number, ofMerchantId = merchantId()) => {
    const ids = Array.from({ length: count }, newId);
    await database().write(async (tx) => {
      for (const id of ids) {
        const data = { cartId: newId(), orderRef: '', status: 'expired', reason: 'not-completed' } as const;
        await recordEvent(tx, { id, merchantId: ofMerchantId, type: 'cart.expired', data });
      }
    });
    return ids;
  };
  const deliver = ({ timeoutMs = 20_000, of = database() } = {}) => {
    const post = createSender({ ...rules, timeoutMs }).send;
    const webhook = webhookSender(of, clock, post, (one) => disabled.push(one));
    return start({ database: of, senders: { webhook }, enqueue: () => enqueueDeliveries(of) });
  };
  const deliveriesOf = async (id: string) =>
    (await listWebhookDeliveries(database().query, merchantId(), id, { limit: 200, after: undefined })).deliveries;
  /** Returns the webhook, as its sender reads it. */
  const webhookOf = async (id: string) => (await findReceiver(database().query, id))!;
  const isFailing = async (id: string) => (await webhookOf(id)).failingSince !== null;
  const isDisabled = async (id: string) => (await webhookOf(id)).disabledAt !== null;
  /** Delivers events to a receiver, by a webhook that has received its test event, or by a new one. */
  const deliverTo = async (respond: Parameters<typeof startReceiver>[0], { events = 1, isNew = false } = {}) => {
    const receiver = await startReceiver(respond);
    const id = await (isNew ? addNewWebhook(receiver.url) : addWebhook(receiver.url));
    const added = await addEvents(events);
    deliver();
    return { receiver, id, events: added };
  };

  it('sends each event once, while several processes enqueue and deliver', { timeout: 120_000 }, async () => {
    const { receiver, id, events: ids } = await deliverTo(status(204), { events: 150 });
    deliver({ of: secondDatabase() });
    await until(() => receiver.received.length >= ids.length, 60_000);
    const { query } = database();
    const undelivered = query.selectFrom('outbox').select('id').where('endpoint', '=', id).where('deliveredAt', 'is', null);
    await until(async () => (await undelivered.execute()).length === 0);
    expect(receiver.received.map(({ headers }) => String(headers['webhook-id'])).toSorted()).toEqual(ids.toSorted());
  });

  it.each([
    ['redirects', status(302, { location: 'https://shop.example/' }), 302],
    ['fails', status(500), 500],
  ])('retries a receiver that %s as long as callbacks, without following redirects', async (_what, respond, statusCode) => {
    const { receiver, id } = await deliverTo(respond);
    await until(async () => ((await deliveriesOf(id))[0]?.attempts[0]?.durationMs ?? undefined) !== undefined);
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ statusCode }] });
    expect(await webhookOf(id)).toMatchObject({ failingSince: now(), disabledAt: null });
    const waitMs = epochMs(delivery!.nextAttemptAt as Instant) - epochMs(now());
    expect(waitMs / retryWaitsOf('callback')[0]!).toSatisfy((ratio: number) => ratio >= 0.9 && ratio <= 1.1);
    expect(retryWaitsOf('webhook')).toEqual(retryWaitsOf('callback'));
    advanceClock(waitMs);
    await until(() => receiver.received.length === 2);
  });

  const typesOf = (received: readonly Received[]) => received.map(({ body }): string => JSON.parse(body).type);
  /** Resolves when a delivery has this number of finished attempts. */
  const hasAttempts = (id: string, count: number) =>
    until(async () =>
      (await deliveriesOf(id)).some(({ attempts }) => attempts.filter(({ durationMs }) => durationMs !== null).length === count),
    );
  /** Resolves when nothing is due, and no attempt is in progress. */
  const settled = async (id: string) => {
    const due = database().query.selectFrom('outbox').select('id').where('dueAt', '<=', now());
    await until(async () => {
      if ((await due.execute()).length > 0) return false;
      return (await deliveriesOf(id)).every(({ attempts }) => attempts.every(({ durationMs }) => durationMs !== null));
    });
  };

  it('sends a new webhook only its test until it responds with success, and then its events, while several processes deliver', async () => {
    let statusCode = 500;
    const respond = (response: ServerResponse) => status(statusCode)(response);
    const { receiver, id, events } = await deliverTo(respond, { events: 20, isNew: true });
    deliver({ of: secondDatabase() });
    await until(() => receiver.received.length > 0);
    await replayEvent(requestOf(), id, events[0]!);
    advanceClock(600_000);
    await until(() => receiver.received.length > 1);
    await until(async () => (await deliveriesOf(id)).length === 21);
    await settled(id);
    expect(new Set(typesOf(receiver.received))).toEqual(new Set(['webhook.test']));
    const states = (await deliveriesOf(id)).map(({ state, nextAttemptAt, attempts }) => [state, nextAttemptAt, attempts.length]);
    expect(new Set(states.slice(0, 20).map(String))).toEqual(new Set(['pending,,0']));

    statusCode = 204;
    const added = Promise.all(Array.from({ length: 5 }, () => addEvents(2)));
    advanceClock(660_000);
    await added;
    await until(() => typesOf(receiver.received).filter((type) => type === 'cart.expired').length === 30);
    await until(async () => (await deliveriesOf(id)).every(({ state }) => state === 'delivered'));
  });

  it('tries the test of a new webhook every ten minutes, and disables it after three days with the events that waited', async () => {
    const { receiver, id } = await deliverTo(status(500), { isNew: true });
    for (let attempts = 1; attempts <= 12; attempts += 1) {
      await until(() => receiver.received.length === attempts);
      await until(async () => (await deliveriesOf(id)).some((one) => one.attempts[attempts - 1]?.durationMs));
      advanceClock(600_001);
    }
    expect(await webhookOf(id)).toMatchObject({ confirmedAt: null, disabledAt: null });
    advanceClock(3 * DAY_MS);
    await until(() => isDisabled(id));
    advanceClock(600_001);
    await until(async () => (await deliveriesOf(id)).every(({ state }) => state === 'failed'));
    expect(new Set(typesOf(receiver.received))).toEqual(new Set(['webhook.test']));

    // Enabled again, it is sent another test, and its events wait for it.
    const requests = receiver.received.length;
    await enableWebhook(requestOf(), id);
    await addEvents(1);
    await until(() => receiver.received.length === requests + 1);
    await settled(id);
    expect(new Set(typesOf(receiver.received))).toEqual(new Set(['webhook.test']));
  });

  it('tries the test of a new webhook again for its next event', async () => {
    let isStarted = false;
    const respond = (response: ServerResponse) => status(isStarted ? 204 : 500)(response);
    const { receiver, id } = await deliverTo(respond, { events: 0, isNew: true });
    await until(() => isFailing(id));
    await settled(id);
    isStarted = true;
    await addEvents(1);
    await until(() => typesOf(receiver.received).includes('cart.expired'));
    expect(typesOf(receiver.received)).toEqual(['webhook.test', 'webhook.test', 'cart.expired']);
  });

  it('ends the events that wait for a new webhook when it is deleted', async () => {
    const { receiver, id } = await deliverTo(status(500), { isNew: true });
    const rows = database().query.selectFrom('outbox').selectAll().where('endpoint', '=', id);
    await until(async () => (await rows.execute()).length === 2);
    await until(() => receiver.received.length === 1);
    await removeWebhook(requestOf(), id);
    advanceClock(600_000);
    await until(async () => (await rows.execute()).every(({ dueAt, lastFailure }) => dueAt === null && lastFailure !== ''));
    expect(new Set(typesOf(receiver.received))).toEqual(new Set(['webhook.test']));
  });

  it('sends requested deliveries at once, also to a webhook that fails', async () => {
    const { receiver, id } = await deliverTo(status(500), { events: 10 });
    await until(() => receiver.received.length >= 5);
    await settled(id);
    const requests = receiver.received.length;
    const [event] = await addEvents(1);
    await settled(id);
    expect(receiver.received).toHaveLength(requests);

    await testWebhook(requestOf(), id);
    await until(() => receiver.received.length === requests + 1);
    await replayEvent(requestOf(), id, event!);
    await until(() => receiver.received.length === requests + 2);
    const delivery = (await deliveriesOf(id)).find(({ eventId }) => eventId !== event)!;
    await redeliver(database(), delivery.id);
    await until(() => receiver.received.length === requests + 3);
    await settled(id);
    const ids = receiver.received.slice(requests).map(({ headers }) => String(headers['webhook-id']));
    expect(ids.slice(1)).toEqual([event, delivery.eventId]);
  });

  it('sends a requested delivery while an attempt of a webhook that fails hangs', async () => {
    const hanging: ServerResponse[] = [];
    let requests = 0;
    const respond = (response: ServerResponse) => {
      requests += 1;
      if (requests <= 5) status(500)(response);
      else hanging.push(response);
    };
    const { receiver, id } = await deliverTo(respond, { events: 5 });
    await until(() => receiver.received.length === 5);
    await settled(id);
    advanceClock(31_000);
    await until(() => receiver.received.length === 6);
    await testWebhook(requestOf(), id);
    await until(() => receiver.received.length === 7);
    expect(typesOf(receiver.received).at(-1)).toBe('webhook.test');
    for (const response of hanging) status(500)(response);
  });

  it('sends events at once to a webhook that was enabled, or that has recovered in another process', async () => {
    let statusCode = 500;
    const { receiver, id } = await deliverTo((response) => status(statusCode)(response), { events: 6 });
    await until(() => receiver.received.length >= 5);
    await settled(id);
    const [event] = await addEvents(1);
    await settled(id);
    const requests = receiver.received.length;
    statusCode = 410;
    await testWebhook(requestOf(), id);
    await until(() => isDisabled(id));
    statusCode = 204;
    await enableWebhook(requestOf(), id);
    const [next] = await addEvents(1);
    await until(() => receiver.received.some(({ headers }) => headers['webhook-id'] === next));
    expect(receiver.received.some(({ headers }) => headers['webhook-id'] === event)).toBe(false);
    expect(receiver.received).toHaveLength(requests + 2);
  });

  it('does not disable a webhook that has recovered when an older attempt fails late', async () => {
    let hanging: ServerResponse | undefined;
    let requests = 0;
    const { id } = await deliverTo((response) => {
      requests += 1;
      if (requests === 2) hanging = response;
      else status(requests === 1 ? 500 : 204)(response);
    });
    await until(() => isFailing(id));
    advanceClock(3 * DAY_MS);
    await until(() => hanging);
    await addEvents(1);
    await until(async () => !(await isFailing(id)));
    status(500)(hanging!);
    await hasAttempts(id, 2);
    expect(await isDisabled(id)).toBe(false);
    expect(disabled).toEqual([]);
  });

  it('does not disable a webhook whose last attempt succeeded, although it began before the first failure', async () => {
    let hanging: ServerResponse | undefined;
    const respond = (response: ServerResponse) => {
      if (hanging) status(500)(response);
      else hanging = response;
    };
    const { receiver, id } = await deliverTo(respond, { events: 2 });
    await until(() => isFailing(id));
    advanceClock(1_000);
    status(204)(hanging!);
    await until(async () => (await deliveriesOf(id)).some(({ state }) => state === 'delivered'));
    advanceClock(3 * DAY_MS);
    await until(() => receiver.received.length === 3);
    await hasAttempts(id, 2);
    expect(await isDisabled(id)).toBe(false);
  });

  it('lists the deliveries of the newest events of a transaction', async () => {
    const id = await addWebhook((await startReceiver(status(204))).url);
    const transactionId = newId();
    const ids = Array.from({ length: 120 }, newId);
    const data = {
      cartId: newId(),
      orderRef: '',
      merchantOrderId: '',
      transactionId,
      status: 'SETTLED',
      total: 1,
      adjustedTotal: 1,
      carrierName: '',
    } as const;
    for (const eventId of ids) {
      await database().write((tx) => recordEvent(tx, { id: eventId, merchantId: merchantId(), type: 'shipment.updated', data }));
    }
    await enqueueDeliveries(database());
    await enqueueDeliveries(database());
    const shown = await deliveriesOfTransaction(database().query, merchantId(), transactionId);
    expect(new Set(shown.map(({ eventId }) => eventId))).toEqual(new Set(ids.slice(-100)));
    await removeWebhook(requestOf(), id);
  });

  it('disables a webhook that has failed for three days, with a security event', async () => {
    const since = now();
    const { receiver, id } = await deliverTo(status(500));
    await until(() => isFailing(id));
    advanceClock(3 * DAY_MS);
    await until(() => isDisabled(id));
    expect(disabled).toEqual([{ webhookId: id, merchantId: merchantId(), failingSince: since }]);
    const recorded = await database()
      .query.selectFrom('security_events')
      .selectAll()
      .where('kind', '=', 'webhook-disabled')
      .execute();
    const ofWebhook = recorded.filter(({ detailsJson }) => detailsJson.includes(id));
    expect(ofWebhook).toMatchObject([{ merchantId: merchantId(), actor: 'system' }]);

    // Its pending delivery fails without a request, and new events are not enqueued.
    const requests = receiver.received.length;
    const [event] = await addEvents(1);
    advanceClock(DAY_MS);
    await until(async () => (await deliveriesOf(id)).every(({ state }) => state === 'failed'));
    expect(await deliveriesOf(id)).toHaveLength(1);
    expect(receiver.received).toHaveLength(requests);
    await expect(replayEvent(requestOf(), id, event!)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('stops sending to a receiver that fails, sends to others, and continues with one attempt', async () => {
    let statusCode = 500;
    const other = await addMerchant();
    const healthy = await startReceiver(status(204));
    await addWebhook(healthy.url, other);
    await addEvents(60, other);
    const { receiver: failing, id } = await deliverTo((response) => status(statusCode)(response), { events: 60 });
    await until(() => healthy.received.length === 60);
    const { query } = database();
    const unattempted = async () =>
      (await query.selectFrom('outbox').select('dueAt').where('endpoint', '=', id).where('attempts', '=', 0).execute()).length;
    await settled(id);
    // At most those that were in flight when the circuit opened.
    expect(failing.received.length).toBeLessThan(25);
    expect(await unattempted()).toBeGreaterThan(30);

    const requests = failing.received.length;
    advanceClock(31_000);
    await until(() => failing.received.length > requests);
    await settled(id);
    expect(failing.received).toHaveLength(requests + 1);

    statusCode = 204;
    advanceClock(601_000);
    await until(async () => (await unattempted()) === 0);
    await until(async () => (await deliveriesOf(id)).filter(({ state }) => state === 'delivered').length > 50);
  });
});

describe('The circuit of an endpoint', () => {
  const failed = (times: number, nowMs = 0) => {
    let circuit: ReturnType<typeof circuitAfter>;
    for (let count = 0; count < times; count += 1) {
      // Each failure after it has opened is that of a probe.
      circuit = circuitAfter(circuit, false, circuit && circuit.openUntilMs > 0 ? circuit.openUntilMs : nowMs);
    }
    return circuit!;
  };

  it('opens after five failures in a row, and closes after a success', () => {
    expect(circuitState(failed(4), 0)).toBe('closed');
    expect(circuitState(failed(5), 29_999)).toBe('open');
    expect(circuitState(failed(5), 30_000)).toBe('half-open');
    expect(circuitAfter(failed(7), true, 0)).toBeUndefined();
  });

  it('is open for longer after each failed probe, at most ten minutes', () => {
    const opened = Array.from({ length: 8 }, (_, index) => failed(5 + index).openUntilMs);
    const waits = opened.map((untilMs, index) => untilMs - (opened[index - 1] ?? 0));
    expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000]);
  });

  it('ignores failures of attempts that began before it opened', () => {
    expect(circuitAfter(failed(5), false, 10_000)).toEqual(failed(5));
  });
});
