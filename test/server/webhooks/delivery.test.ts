/** Webhooks whose receivers fail, with a clock that the tests advance. */
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../server/ids.ts';
import { createSender } from '../../../server/notifications/callback.ts';
import { circuitAfter, circuitState } from '../../../server/notifications/circuit-breaker.ts';
import { retryWaitsOf } from '../../../server/notifications/deliver.ts';
import { DAY_MS, epochMs, type Instant } from '../../../server/time.ts';
import { enqueueDeliveries } from '../../../server/webhooks/enqueue.ts';
import { type DisabledWebhook, webhookSender } from '../../../server/webhooks/sender.ts';
import { findReceiver, recordEvent } from '../../../server/webhooks/store.ts';
import { createWebhook, listDeliveries, replayEvent } from '../../../server/webhooks/webhooks.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { status } from '../../support/http.ts';
import { captureTimeouts, until } from '../../support/time.ts';
import { startDelivering } from '../notifications/delivering.ts';

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
  const addWebhook = (url: string, ofMerchantId = merchantId()) =>
    createWebhook(requestOf(ofMerchantId), { url, types: undefined }, rules);
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
    (await listDeliveries(database().query, ofMerchantId, id, { limit: 200, after: undefined })).deliveries;

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

  it('ends an attempt that hangs, and forgets the failures after a success', async () => {
    const timeouts = captureTimeouts();
    let isHanging = true;
    const receiver = await startReceiver((response) => (isHanging ? undefined : status(204)(response)));
    const id = await addWebhook(receiver.url);
    await addEvents(1);
    deliver({ timeoutMs: 15_000 });
    await until(() => receiver.received.length === 1);
    timeouts.expire();
    await until(async () => (await findReceiver(database().query, id))!.failingSince);
    isHanging = false;
    advanceClock(1.1 * retryWaitsOf('webhook')[0]!);
    await until(async () => (await deliveriesOf(id))[0]!.state === 'delivered');
    expect(await findReceiver(database().query, id)).toMatchObject({ failingSince: null });
    expect((await deliveriesOf(id))[0]!.attempts[0]).toMatchObject({ failure: 'No response within 15000 ms' });
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
