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
  const deliveriesOf = async (id: string, ofMerchantId = merchantId()) =>
    (await listWebhookDeliveries(database().query, ofMerchantId, id, { limit: 200, after: undefined })).deliveries;

  it('sends each event once, while several processes enqueue and deliver', { timeout: 120_000 }, async () => {
    const receiver = await startReceiver(status(204));
    const id = await addWebhook(receiver.url);
    const ids = await addEvents(150);
    deliver();
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
    const receiver = await startReceiver(respond);
    const id = await addWebhook(receiver.url);
    await addEvents(1);
    deliver();
    await until(async () => ((await deliveriesOf(id))[0]?.attempts[0]?.durationMs ?? undefined) !== undefined);
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ statusCode }] });
    expect(await findReceiver(database().query, id)).toMatchObject({ failingSince: now(), disabledAt: null });
    const waitMs = epochMs(delivery!.nextAttemptAt as Instant) - epochMs(now());
    expect(waitMs / retryWaitsOf('callback')[0]!).toSatisfy((ratio: number) => ratio >= 0.9 && ratio <= 1.1);
    expect(retryWaitsOf('webhook')).toEqual(retryWaitsOf('callback'));
    advanceClock(waitMs);
    await until(() => receiver.received.length === 2);
  });

  const typesOf = (received: readonly Received[]) => received.map(({ body }): string => JSON.parse(body).type);
  /** Resolves when nothing is due, and no attempt is in progress. */
  const settled = async (id: string) => {
    const due = database().query.selectFrom('outbox').select('id').where('dueAt', '<=', now());
    await until(async () => {
      if ((await due.execute()).length > 0) return false;
      return (await deliveriesOf(id)).every(({ attempts }) => attempts.every(({ durationMs }) => durationMs !== null));
    });
  };

  it('sends a new webhook only its test until it responds with success, and then its events, while several processes deliver', async () => {
    let isFailing = true;
    const receiver = await startReceiver((response) => status(isFailing ? 500 : 204)(response));
    const id = await addNewWebhook(receiver.url);
    const [first] = await addEvents(20);
    deliver();
    deliver({ of: secondDatabase() });
    await until(() => receiver.received.length > 0);
    await replayEvent(requestOf(), id, first!);
    advanceClock(600_000);
    await until(() => receiver.received.length > 1);
    await until(async () => (await deliveriesOf(id)).length === 21);
    await settled(id);
    expect(new Set(typesOf(receiver.received))).toEqual(new Set(['webhook.test']));
    const states = (await deliveriesOf(id)).map(({ state, nextAttemptAt, attempts }) => [state, nextAttemptAt, attempts.length]);
    expect(new Set(states.slice(0, 20).map(String))).toEqual(new Set(['pending,,0']));

    isFailing = false;
    const added = Promise.all(Array.from({ length: 5 }, () => addEvents(2)));
    advanceClock(660_000);
    await added;
    await until(() => typesOf(receiver.received).filter((type) => type === 'cart.expired').length === 30);
    await until(async () => (await deliveriesOf(id)).every(({ state }) => state === 'delivered'));
  });

  it('tries the test of a new webhook every ten minutes, and disables it after three days with the events that waited', async () => {
    const receiver = await startReceiver(status(500));
    const id = await addNewWebhook(receiver.url);
    await addEvents(1);
    deliver();
    for (let attempts = 1; attempts <= 12; attempts += 1) {
      await until(() => receiver.received.length === attempts);
      await until(async () => (await deliveriesOf(id)).some((one) => one.attempts[attempts - 1]?.durationMs));
      advanceClock(600_001);
    }
    expect(await findReceiver(database().query, id)).toMatchObject({ confirmedAt: null, disabledAt: null });
    advanceClock(3 * DAY_MS);
    await until(async () => (await findReceiver(database().query, id))!.disabledAt);
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
    const receiver = await startReceiver((response) => status(isStarted ? 204 : 500)(response));
    const id = await addNewWebhook(receiver.url);
    deliver();
    await until(async () => (await findReceiver(database().query, id))!.failingSince);
    await settled(id);
    isStarted = true;
    await addEvents(1);
    await until(() => typesOf(receiver.received).includes('cart.expired'));
    expect(typesOf(receiver.received)).toEqual(['webhook.test', 'webhook.test', 'cart.expired']);
  });

  it('ends the events that wait for a new webhook when it is deleted', async () => {
    const receiver = await startReceiver(status(500));
    const id = await addNewWebhook(receiver.url);
    await addEvents(1);
    deliver();
    const rows = database().query.selectFrom('outbox').selectAll().where('endpoint', '=', id);
    await until(async () => (await rows.execute()).length === 2);
    await until(() => receiver.received.length === 1);
    await removeWebhook(requestOf(), id);
    advanceClock(600_000);
    await until(async () => (await rows.execute()).every(({ dueAt, lastFailure }) => dueAt === null && lastFailure !== ''));
    expect(new Set(typesOf(receiver.received))).toEqual(new Set(['webhook.test']));
  });

  it('sends requested deliveries at once, also to a webhook that fails', async () => {
    const receiver = await startReceiver(status(500));
    const id = await addWebhook(receiver.url);
    await addEvents(10);
    deliver();
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
    const receiver = await startReceiver((response) => {
      if (receiver.received.length <= 5) status(500)(response);
      else hanging.push(response);
    });
    const id = await addWebhook(receiver.url);
    await addEvents(5);
    deliver();
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
    const receiver = await startReceiver((response) => status(statusCode)(response));
    const id = await addWebhook(receiver.url);
    await addEvents(6);
    deliver();
    await until(() => receiver.received.length >= 5);
    await settled(id);
    const [event] = await addEvents(1);
    await settled(id);
    const requests = receiver.received.length;
    statusCode = 410;
    await testWebhook(requestOf(), id);
    await until(async () => (await findReceiver(database().query, id))!.disabledAt);
    statusCode = 204;
    await enableWebhook(requestOf(), id);
    const [next] = await addEvents(1);
    await until(() => receiver.received.some(({ headers }) => headers['webhook-id'] === next));
    expect(receiver.received.some(({ headers }) => headers['webhook-id'] === event)).toBe(false);
    expect(receiver.received).toHaveLength(requests + 2);
  });

  it('does not disable a webhook that has recovered when an older attempt fails late', async () => {
    let hanging: ServerResponse | undefined;
    const receiver = await startReceiver((response) => {
      const { length } = receiver.received;
      if (length === 2) hanging = response;
      else status(length === 1 ? 500 : 204)(response);
    });
    const id = await addWebhook(receiver.url);
    await addEvents(1);
    deliver();
    await until(async () => (await findReceiver(database().query, id))!.failingSince);
    advanceClock(3 * DAY_MS);
    await until(() => hanging);
    await addEvents(1);
    await until(async () => (await findReceiver(database().query, id))!.failingSince === null);
    status(500)(hanging!);
    await until(async () =>
      (await deliveriesOf(id)).some(({ attempts }) => attempts.filter(({ durationMs }) => durationMs !== null).length === 2),
    );
    expect(await findReceiver(database().query, id)).toMatchObject({ disabledAt: null });
    expect(disabled).toEqual([]);
  });

  it('does not disable a webhook whose last attempt succeeded, although it began before the first failure', async () => {
    let hanging: ServerResponse | undefined;
    const receiver = await startReceiver((response) => {
      if (receiver.received.length === 1) hanging = response;
      else status(500)(response);
    });
    const id = await addWebhook(receiver.url);
    await addEvents(2);
    deliver();
    await until(async () => (await findReceiver(database().query, id))!.failingSince);
    advanceClock(1_000);
    status(204)(hanging!);
    await until(async () => (await deliveriesOf(id)).some(({ state }) => state === 'delivered'));
    advanceClock(3 * DAY_MS);
    await until(() => receiver.received.length === 3);
    await until(async () =>
      (await deliveriesOf(id)).some(({ attempts }) => attempts.filter(({ durationMs }) => durationMs !== null).length === 2),
    );
    expect(await findReceiver(database().query, id)).toMatchObject({ disabledAt: null });
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
    const receiver = await startReceiver(status(500));
    const id = await addWebhook(receiver.url);
    await addEvents(1);
    const since = now();
    deliver();
    await until(async () => (await findReceiver(database().query, id))!.failingSince);
    advanceClock(3 * DAY_MS);
    await until(async () => (await findReceiver(database().query, id))!.disabledAt);
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

  it('disables a webhook that responds with 410', async () => {
    const receiver = await startReceiver(status(410));
    const id = await addWebhook(receiver.url);
    await addEvents(1);
    deliver();
    await until(async () => (await findReceiver(database().query, id))!.disabledAt);
    expect(receiver.received).toHaveLength(1);
  });

  it('stops sending to a receiver that fails, sends to others, and continues with one attempt', async () => {
    let isFailing = true;
    const failing = await startReceiver((response) => status(isFailing ? 500 : 204)(response));
    const other = await addMerchant();
    const healthy = await startReceiver(status(204));
    const id = await addWebhook(failing.url);
    await addWebhook(healthy.url, other);
    await addEvents(60);
    await addEvents(60, other);
    deliver();
    await until(() => healthy.received.length === 60);
    const { query } = database();
    const unattempted = async () =>
      (await query.selectFrom('outbox').select('dueAt').where('endpoint', '=', id).where('attempts', '=', 0).execute()).length;
    await until(async () => {
      const due = query.selectFrom('outbox').select('id').where('endpoint', '=', id).where('dueAt', '<=', now());
      return (await due.execute()).length === 0;
    });
    // At most those that were in flight when the circuit opened.
    expect(failing.received.length).toBeLessThan(25);
    expect(await unattempted()).toBeGreaterThan(30);

    const requests = failing.received.length;
    advanceClock(31_000);
    await until(() => failing.received.length > requests);
    await until(async () => {
      const due = query.selectFrom('outbox').select('id').where('endpoint', '=', id).where('dueAt', '<=', now());
      return (await due.execute()).length === 0;
    });
    expect(failing.received).toHaveLength(requests + 1);

    isFailing = false;
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
