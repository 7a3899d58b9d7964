import { describe, expect, it } from 'vitest';
import { redeliver } from '../../../server/messages/deliveries.ts';
import { retryWaitsOf } from '../../../server/messages/deliver.ts';
import { DAY_MS, epochMs } from '../../../server/base/time.ts';
import { status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { startDelivering } from './delivering.ts';

describe('A failed callback', () => {
  const { database, startReceiver, now, advanceClock, start, addCallback, rowOf, delivered, failed, pollFinished } =
    startDelivering();

  it('is not retried after ten attempts over three days, and has the reason of the last failure', async () => {
    const receiver = await startReceiver(status(500));
    start();
    const id = await addCallback(receiver.url);
    const startedAt = now();

    for (let attempts = 1; attempts < 10; attempts++) {
      const { dueAt } = await failed(id, attempts);
      advanceClock(epochMs(dueAt!) - epochMs(now()));
      await until(() => receiver.received.length === attempts + 1);
    }

    const row = await until(async () => {
      const current = await rowOf(id);
      return current.dueAt === null && current;
    });
    expect(row).toMatchObject({ attempts: 10, deliveredAt: null, lastFailure: 'The receiver responded with 500' });
    expect(epochMs(now()) - epochMs(startedAt)).toBeGreaterThan(2.7 * DAY_MS);
    advanceClock(30 * DAY_MS);
    await pollFinished();
    expect(receiver.received).toHaveLength(10);
  });

  it.each([429, 503])('is retried after the Retry-After time of a response with %d', async (code) => {
    const statuses = [() => status(code, { 'retry-after': '3600' }), () => status(204)];
    const receiver = await startReceiver((response) => statuses.shift()!()(response));
    start();
    const id = await addCallback(receiver.url);

    const { dueAt } = await failed(id);
    expect(epochMs(dueAt!) - epochMs(now())).toBe(3_600_000);

    advanceClock(3_599_999);
    await pollFinished();
    expect(receiver.received).toHaveLength(1);
    advanceClock(1);
    await delivered(id);
  });

  it('restarts its retry schedule when it is redelivered', async () => {
    const receiver = await startReceiver(status(500));
    start();
    const id = await addCallback(receiver.url);
    for (let attempts = 1; attempts < 5; attempts++) advanceClock(epochMs((await failed(id, attempts)).dueAt!) - epochMs(now()));
    await failed(id, 5);

    await redeliver(database(), id);

    const { dueAt } = await failed(id, 6);
    expect(epochMs(dueAt!) - epochMs(now())).toBeLessThanOrEqual(1.1 * retryWaitsOf('callback')[0]!);
  });
});
