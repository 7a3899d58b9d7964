import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { redeliver } from '../../../server/messages/deliveries.ts';
import { retryWaitsOf } from '../../../server/messages/deliver.ts';
import { DAY_MS, epochMs } from '../../../server/base/time.ts';
import { bodiesOf, status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { startDelivering } from './delivering.ts';

describe('A failed callback', () => {
  const { database, logOf, startReceiver, now, advanceClock, start, addCallback, rowOf, delivered, failed, pollFinished } =
    startDelivering();

  it('is retried on schedule while the receiver responds with server errors', async () => {
    const statuses = [500, 503, 204];
    const receiver = await startReceiver((response) => status(statuses.shift() ?? 204)(response));
    start();
    const id = await addCallback(receiver.url);

    for (const [attempts, waitMs] of [
      [1, retryWaitsOf('callback')[0]!],
      [2, retryWaitsOf('callback')[1]!],
    ] as const) {
      const { dueAt } = await failed(id, attempts);
      const waited = epochMs(dueAt!) - epochMs(now());
      expect(waited).toBeGreaterThanOrEqual(0.9 * waitMs);
      expect(waited).toBeLessThanOrEqual(1.1 * waitMs);

      advanceClock(waited - 1);
      await pollFinished();
      expect(receiver.received).toHaveLength(attempts);
      advanceClock(1);
      await until(() => receiver.received.length === attempts + 1);
    }

    await delivered(id);
    expect(await rowOf(id)).toMatchObject({ attempts: 3, dueAt: null, lastFailure: '' });
    expect(new Set(bodiesOf(receiver)).size).toBe(1);
  });

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

  it('is not retried after a response with 410', async () => {
    const receiver = await startReceiver(status(410));
    start();
    const id = await addCallback(receiver.url);

    expect(await failed(id)).toMatchObject({ dueAt: null, lastFailure: 'The receiver responded with 410' });

    advanceClock(30 * DAY_MS);
    await pollFinished();
    expect(receiver.received).toHaveLength(1);
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

  it('is retried within three days of the first attempt, regardless of Retry-After', async () => {
    const receiver = await startReceiver(status(503, { 'retry-after': '99999999' }));
    start();
    const id = await addCallback(receiver.url);
    const startedAt = epochMs(now());

    const { dueAt } = await failed(id);
    expect(epochMs(dueAt!) - startedAt).toBe(3 * DAY_MS);

    advanceClock(3 * DAY_MS);
    const { dueAt: nextDueAt } = await failed(id, 2);
    expect(epochMs(nextDueAt!) - epochMs(now()), 'the scheduled wait').toBeLessThanOrEqual(1.1 * retryWaitsOf('callback')[1]!);
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

  it('has a log of the time, duration, status and failure of each attempt', async () => {
    const statuses = [() => status(500), () => (response: ServerResponse) => void response.destroy(), () => status(204)];
    const receiver = await startReceiver((response) => statuses.shift()!()(response));
    start();
    const id = await addCallback(receiver.url);
    const attemptTimes = [now()];
    for (const attempts of [1, 2]) {
      advanceClock(epochMs((await failed(id, attempts)).dueAt!) - epochMs(now()));
      attemptTimes.push(now());
    }
    await delivered(id);

    const log = await logOf(id);
    expect(log).toMatchObject([
      { number: 1, startedAt: attemptTimes[0], statusCode: 500, failure: 'The receiver responded with 500' },
      { number: 2, startedAt: attemptTimes[1], statusCode: null, failure: expect.stringMatching(/^The request failed: \w+$/) },
      { number: 3, startedAt: attemptTimes[2], statusCode: 204, failure: '' },
    ]);
    for (const { durationMs } of log) expect(durationMs).toBeGreaterThanOrEqual(0);
  });
});
