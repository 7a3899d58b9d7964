import { describe, expect, it } from 'vitest';
import type { Database } from '../../../server/db/database.ts';
import type { Delivery, FailedDelivery } from '../../../server/messages/deliver.ts';
import { DAY_MS } from '../../../server/base/time.ts';
import { bodiesOf, status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { startDelivering } from './delivering.ts';

describe('Delivery', () => {
  const {
    startReceiver,
    now,
    advanceClock,
    start,
    addCallback,
    addCallbacks,
    rowOf,
    delivered,
    pollFinished,
    database,
    secondDatabase,
  } = startDelivering();

  it('posts a due delivery once with exactly its body', async () => {
    const receiver = await startReceiver(status(204));
    const id = await addCallback(receiver.url);

    start();
    await delivered(id);

    expect(await rowOf(id)).toMatchObject({ attempts: 1, dueAt: null, deliveredAt: now(), lastFailure: '' });
    advanceClock(4 * DAY_MS);
    await pollFinished();
    expect(bodiesOf(receiver)).toEqual([`{"transactionId":"${id}","orderRef":"O-1"}`]);
  });

  it('sends immediately when it is woken', async () => {
    const receiver = await startReceiver(status(204));
    const delivery = start({ pollMs: 3_600_000 });
    const first = await addCallback(receiver.url);
    delivery.wake();
    await delivered(first);

    const second = await addCallback(receiver.url);
    delivery.wake();

    await delivered(second);
  });

  it('reports each failed attempt with the time of the next one, and the last one without', async () => {
    const responses = [status(500), status(410)];
    const receiver = await startReceiver((response) => responses.shift()!(response));
    const failed: FailedDelivery[] = [];
    start({ onFailedAttempt: (attempt) => failed.push(attempt) });
    const deliveryId = await addCallback(receiver.url);
    await until(async () => (await rowOf(deliveryId)).lastFailure !== '');
    const retryAt = (await rowOf(deliveryId)).dueAt;

    advanceClock(DAY_MS);
    await until(async () => (await rowOf(deliveryId)).dueAt === null);

    const { merchantId } = await rowOf(deliveryId);
    const attempt = { deliveryId, merchantId, channel: 'callback' };
    expect(failed).toEqual([
      { ...attempt, attempt: 1, statusCode: 500, failure: 'The receiver responded with 500', retryAt },
      { ...attempt, attempt: 2, statusCode: 410, failure: 'The receiver responded with 410', retryAt: null },
    ]);
  });

  it('holds no lock on the delivery while it waits for the response', async () => {
    const receiver = await startReceiver((response, body) => {
      const { transactionId } = JSON.parse(body);
      void database()
        .write(async (tx) => {
          const row = await tx.selectFrom('outbox').select('id').where('id', '=', transactionId).executeTakeFirstOrThrow();
          await tx.updateTable('outbox').set({ lastFailure: 'touched' }).where('id', '=', row.id).execute();
        })
        .then(() => status(200)(response));
    });
    start();

    await delivered(await addCallback(receiver.url));
  });

  it('waits for deliveries in progress when it stops, and records their results', async () => {
    let respond: () => void = () => undefined;
    const receiver = await startReceiver((response) => {
      respond = () => status(204)(response);
    });
    const delivery = start();
    const id = await addCallback(receiver.url);
    await until(() => receiver.received.length === 1);

    let isStopped = false;
    const stopping = (async () => {
      await delivery.stop();
      isStopped = true;
    })();
    // Two queries take longer than a stop that does not wait.
    await rowOf(id);
    await rowOf(id);
    expect(isStopped).toBe(false);
    respond();
    await stopping;

    expect(await rowOf(id)).toMatchObject({ deliveredAt: now() });
  });

  it('saves the results of a round in one database transaction', async () => {
    const ids = await addCallbacks(8, 'http://receiver.example/');
    let writes = 0;
    const counted: Database = {
      ...database(),
      write: (work) => {
        writes += 1;
        return database().write(work);
      },
    };

    start({ database: counted, senders: { callback: () => Promise.resolve({ statusCode: 204, failure: '' }) } });
    for (const id of ids) await delivered(id);

    // The first one claimed them.
    expect(writes).toBe(2);
  });

  it('does not claim deliveries after stop was called', async () => {
    const receiver = await startReceiver(status(204));
    const id = await addCallback(receiver.url, { inMs: 1 });
    let stopped: Promise<void> | undefined;
    let isLast = false;
    const delivery: Delivery = start({
      clock: {
        now: () => {
          if (isLast) stopped ??= delivery.stop();
          return now();
        },
      },
    });
    isLast = true;
    advanceClock(1);
    await until(() => stopped !== undefined);
    await stopped;

    expect(receiver.received).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ attempts: 0 });
  });

  it('does not send anything after it has stopped', async () => {
    const receiver = await startReceiver(status(204));
    const stopped = start();
    await stopped.stop();

    const id = await addCallback(receiver.url);
    stopped.wake();
    start({ database: secondDatabase() });
    await delivered(id);

    expect(receiver.received).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ attempts: 1 });
  });
});
