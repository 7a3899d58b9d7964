import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../server/notifications/deliver.ts';
import { DAY_MS } from '../../../server/time.ts';
import { bodiesOf, status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { givenDelivering } from './delivering.ts';

describe('Delivery', () => {
  const { startReceiver, now, pass, start, promise, rowOf, delivered, lookedThrough, database, secondDatabase } =
    givenDelivering();

  it('posts a due delivery once with exactly its body', async () => {
    const receiver = await startReceiver(status(204));
    const id = await promise(receiver.url);

    start();
    await delivered(id);

    expect(await rowOf(id)).toMatchObject({ attempts: 1, due_at: null, delivered_at: now(), last_failure: '' });
    pass(4 * DAY_MS);
    await lookedThrough();
    expect(bodiesOf(receiver)).toEqual([`{"transactionId":"${id}","orderRef":"O-1"}`]);
  });

  it('sends deliveries that are added while it runs', async () => {
    const receiver = await startReceiver(status(204));
    start();

    await delivered(await promise(receiver.url));

    expect(receiver.received).toHaveLength(1);
  });

  it('sends immediately when it is notified', async () => {
    const receiver = await startReceiver(status(204));
    const delivery = start({ pollMs: 3_600_000 });
    const first = await promise(receiver.url);
    delivery.wake();
    await delivered(first);

    const second = await promise(receiver.url);
    delivery.wake();

    await delivered(second);
  });

  it('does not send before it is due', async () => {
    const receiver = await startReceiver(status(204));
    start();
    const id = await promise(receiver.url, { inMs: 3_600_000 });

    pass(3_599_999);
    await lookedThrough();
    expect(receiver.received).toEqual([]);

    pass(1);
    await delivered(id);
    expect(receiver.received).toHaveLength(1);
  });

  it('lets a receiver call the API before it responds, without lock conflicts', async () => {
    const receiver = await startReceiver((response, body) => {
      const { transactionId } = JSON.parse(body);
      void database()
        .write(async (tx) => {
          const row = await tx.selectFrom('outbox').select('id').where('id', '=', transactionId).executeTakeFirstOrThrow();
          await tx.updateTable('outbox').set({ last_failure: 'touched' }).where('id', '=', row.id).execute();
        })
        .then(() => status(200)(response));
    });
    start();

    await delivered(await promise(receiver.url));
  });

  it('waits for deliveries in progress when it stops, and records their results', async () => {
    let received: () => void = () => undefined;
    const receiver = await startReceiver((response) => {
      received = () => status(204)(response);
    });
    const delivery = start();
    const id = await promise(receiver.url);
    await until(() => receiver.received.length === 1);

    let stopped = false;
    const stopping = (async () => {
      await delivery.stop();
      stopped = true;
    })();
    // A round trip to the database is more than enough for a stop that does not wait.
    await rowOf(id);
    await rowOf(id);
    expect(stopped).toBe(false);
    received();
    await stopping;

    expect(await rowOf(id)).toMatchObject({ delivered_at: now() });
  });

  it('claims no deliveries after it is stopped', async () => {
    const receiver = await startReceiver(status(204));
    const id = await promise(receiver.url, { inMs: 1 });
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
    pass(1);
    await until(() => stopped !== undefined);
    await stopped;

    expect(receiver.received).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ attempts: 0 });
  });

  it('sends nothing after it has stopped', async () => {
    const receiver = await startReceiver(status(204));
    const stopped = start();
    await stopped.stop();

    const id = await promise(receiver.url);
    stopped.wake();
    start({ database: secondDatabase() });
    await delivered(id);

    expect(receiver.received).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ attempts: 1 });
  });
});
