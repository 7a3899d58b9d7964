import { expect, it } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import type { ServicingEvent } from '../../server/lending/lenders/events.ts';
import { newId } from '../../server/base/ids.ts';
import type { Send } from '../../server/messages/attempt.ts';
import { redeliver } from '../../server/messages/deliveries.ts';
import { retryWaitsOf } from '../../server/messages/deliver.ts';
import { enqueueServicingEvent } from '../../server/messages/servicing-store.ts';
import { listDeliveries } from '../../server/messages/store.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { until } from '../support/time.ts';
import { startDelivering } from '../server/messages/delivering.ts';

describeOnEveryEngine('Events for the lender', (engine) => {
  const { now, advanceClock, start, rowOf, delivered, merchantId, database, secondDatabase } = startDelivering(engine);

  const enqueue = async (applicationId: string, type = 'settled', target: Database = database()): Promise<string> => {
    const id = newId();
    const subject = { id, merchantId: merchantId(), applicationId, requestId: null, at: now() };
    await target.write((tx) => enqueueServicingEvent(tx, subject, { type } as ServicingEvent));
    return id;
  };
  /** Starts a lender that records what it receives, and fails for the events of which `fails` returns true. */
  const startLender = (
    fails: (event: { id: string; sequence: number; type: string }) => boolean = () => false,
    target?: Database,
  ) => {
    const received: { id: string; applicationId: string; sequence: number }[] = [];
    const lender: Send = async ({ url, body }) => {
      const event = JSON.parse(body);
      if (fails(event)) return { statusCode: 500, failure: 'The lender responded with 500' };
      received.push({ ...event, applicationId: url });
      return { statusCode: 200, failure: '' };
    };
    const delivery = start({ senders: { lender }, ...(target && { database: target }) });
    return { received, delivery };
  };

  it('have their id, position and time in their bodies', async () => {
    const id = await enqueue('application-1');

    const row = await rowOf(id);

    expect(row).toMatchObject({ channel: 'lender', sequence: 1, url: 'lender:application-1' });
    expect(JSON.parse(row.body)).toEqual({
      id,
      sequence: 1,
      at: now(),
      applicationId: 'application-1',
      requestId: null,
      type: 'settled',
    });
  });

  it('of an application wait for the earlier ones, and those of other applications do not', async () => {
    const first = await enqueue('application-1', 'authorized');
    const second = await enqueue('application-1');
    const other = await enqueue('application-2');
    let isDown = true;
    const { received } = startLender(({ id }) => isDown && id === first);

    await delivered(other);
    await until(async () => (await rowOf(first)).lastFailure !== '');
    expect(received.map(({ id }) => id)).toEqual([other]);
    expect(await rowOf(second)).toMatchObject({ attempts: 0, dueAt: null, deliveredAt: null });
    const pending = await listDeliveries(database().query, { state: 'pending', limit: 10 });
    expect(pending.map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
    expect(await listDeliveries(database().query, { state: 'recorded', limit: 10 })).toEqual([]);

    isDown = false;
    advanceClock(1.1 * retryWaitsOf('lender')[0]!);
    await delivered(second);
    expect(received.map(({ id }) => id)).toEqual([other, first, second]);
  });

  it('are sent after earlier ones that are redelivered meanwhile', async () => {
    const ids = [await enqueue('application-1'), await enqueue('application-1'), await enqueue('application-1')];
    let isDown = false;
    const { received } = startLender(() => isDown);
    await delivered(ids[2]!);

    isDown = true;
    for (const id of ids.slice(0, 2)) await redeliver(database(), id);
    const last = await enqueue('application-1');
    expect(await rowOf(last)).toMatchObject({ attempts: 0, dueAt: null });
    isDown = false;
    advanceClock(1.1 * retryWaitsOf('lender')[0]!);

    await delivered(last);
    expect(received.at(-1)).toMatchObject({ id: last, sequence: 4 });
  });

  it('cannot be redelivered before they were sent', async () => {
    await enqueue('application-1', 'authorized');
    const second = await enqueue('application-1');

    await expect(redeliver(database(), second)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('are delivered in order, each once, while processes enqueue and deliver at the same time', async () => {
    const applications = Array.from({ length: 6 }, (_, number) => `application-${number}`);
    const lenders = [startLender(), startLender(undefined, secondDatabase())];

    const ids = await Promise.all(
      applications.map(async (applicationId) => {
        const enqueued: string[] = [];
        for (let number = 0; number < 12; number += 2) {
          // Two at the same time, one from each process, also compete for the first position.
          const pair = [database(), secondDatabase()].map((target) => enqueue(applicationId, 'settled', target));
          enqueued.push(...(await Promise.all(pair)));
        }
        return enqueued;
      }),
    );
    for (const id of ids.flat()) await delivered(id);

    const rows = await listDeliveries(database().query, { limit: 1_000 });
    expect(rows.map(({ attempts }) => attempts)).toEqual(rows.map(() => 1));
    for (const [index, applicationId] of applications.entries()) {
      const received = lenders
        .flatMap((lender) => lender.received)
        .filter((event) => event.applicationId === `lender:${applicationId}`);
      expect(received.map(({ id }) => id).toSorted()).toEqual(ids[index]!.toSorted());
      for (const lender of lenders) {
        const sequences = lender.received.filter((event) => event.applicationId === `lender:${applicationId}`);
        expect(sequences.map(({ sequence }) => sequence)).toEqual(
          sequences.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
        );
      }
      expect(received.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual(ids[index]!.map((_, at) => at + 1));
    }
  });
});
