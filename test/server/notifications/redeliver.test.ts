import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { redeliver } from '../../../server/notifications/deliveries.ts';
import { retryWaitsMs } from '../../../server/notifications/deliver.ts';
import { DAY_MS, epochMs } from '../../../server/time.ts';
import { bodiesOf, status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { givenDelivering } from './delivering.ts';

describe('Redelivery of a failed callback', () => {
  const { database, logOf, startReceiver, now, pass, start, promise, rowOf, delivered, failed, lookedThrough } =
    givenDelivering();

  it('retries on schedule while the receiver responds 500', async () => {
    const statuses = [500, 503, 204];
    const receiver = await startReceiver((response) => status(statuses.shift() ?? 204)(response));
    start();
    const id = await promise(receiver.url);

    for (const [attempts, waitMs] of [
      [1, retryWaitsMs[0]!],
      [2, retryWaitsMs[1]!],
    ] as const) {
      const { due_at: dueAt } = await failed(id, attempts);
      const waited = epochMs(dueAt!) - epochMs(now());
      expect(waited).toBeGreaterThanOrEqual(0.9 * waitMs);
      expect(waited).toBeLessThanOrEqual(1.1 * waitMs);

      pass(waited - 1);
      await lookedThrough();
      expect(receiver.received).toHaveLength(attempts);
      pass(1);
      await until(() => receiver.received.length === attempts + 1);
    }

    await delivered(id);
    expect(await rowOf(id)).toMatchObject({ attempts: 3, due_at: null, last_failure: '' });
    expect(new Set(bodiesOf(receiver)).size).toBe(1);
  });

  it('gives up after ten attempts over three days, and logs the reason', async () => {
    const receiver = await startReceiver(status(500));
    start();
    const id = await promise(receiver.url);
    const startedAt = now();

    for (let attempts = 1; attempts < 10; attempts++) {
      const { due_at: dueAt } = await failed(id, attempts);
      pass(epochMs(dueAt!) - epochMs(now()));
      await until(() => receiver.received.length === attempts + 1);
    }

    const row = await until(async () => {
      const given = await rowOf(id);
      return given.due_at === null && given;
    });
    expect(row).toMatchObject({ attempts: 10, delivered_at: null, last_failure: 'The receiver responded with 500' });
    expect(epochMs(now()) - epochMs(startedAt)).toBeGreaterThan(2.7 * DAY_MS);
    pass(30 * DAY_MS);
    await lookedThrough();
    expect(receiver.received).toHaveLength(10);
  });

  it('treats a redirect as a failure and does not follow it', async () => {
    const elsewhere = await startReceiver(status(204));
    const receiver = await startReceiver(status(307, { location: elsewhere.url }));
    start();
    const id = await promise(receiver.url);

    expect(await failed(id)).toMatchObject({ last_failure: 'The receiver responded with 307' });

    expect(elsewhere.connections).toBe(0);
  });

  it.each([
    ['a refusal', () => status(500)],
    ['a hang', () => () => undefined],
    ['a lost connection', () => (response: ServerResponse) => void response.destroy()],
  ])('records neither URL nor body after %s', async (_, response) => {
    const receiver = await startReceiver(response());
    start({ timeoutMs: 200 });
    const id = await promise(`${receiver.url}?token=hidden`);

    const { last_failure: failure } = await failed(id);

    expect(failure).toMatch(/^(The|No) [\w: ]+$/);
    for (const unwanted of ['hidden', '127.0.0.1', String(receiver.port), id]) expect(failure).not.toContain(unwanted);
  });

  it('ends when the receiver responds 410', async () => {
    const receiver = await startReceiver(status(410));
    start();
    const id = await promise(receiver.url);

    expect(await failed(id)).toMatchObject({ due_at: null, last_failure: 'The receiver responded with 410' });

    pass(30 * DAY_MS);
    await lookedThrough();
    expect(receiver.received).toHaveLength(1);
  });

  it('ends at once for an address to which callbacks are never sent', async () => {
    start();
    const id = await promise('http://10.0.0.1/callback');

    expect(await failed(id)).toMatchObject({
      attempts: 1,
      due_at: null,
      last_failure: 'The address is not on the public internet',
    });
  });

  it.each([429, 503])('waits as long as Retry-After of a %d requires', async (code) => {
    const statuses = [() => status(code, { 'retry-after': '3600' }), () => status(204)];
    const receiver = await startReceiver((response) => statuses.shift()!()(response));
    start();
    const id = await promise(receiver.url);

    const { due_at: dueAt } = await failed(id);
    expect(epochMs(dueAt!) - epochMs(now())).toBe(3_600_000);

    pass(3_599_999);
    await lookedThrough();
    expect(receiver.received).toHaveLength(1);
    pass(1);
    await delivered(id);
  });

  it('waits at most three days from the first attempt, regardless of Retry-After', async () => {
    const receiver = await startReceiver(status(503, { 'retry-after': '99999999' }));
    start();
    const id = await promise(receiver.url);
    const startedAt = epochMs(now());

    const { due_at: dueAt } = await failed(id);
    expect(epochMs(dueAt!) - startedAt).toBe(3 * DAY_MS);

    pass(3 * DAY_MS);
    const { due_at: nextDueAt } = await failed(id, 2);
    expect(epochMs(nextDueAt!) - epochMs(now()), 'our own wait').toBeLessThanOrEqual(1.1 * retryWaitsMs[1]!);
  });

  it('restarts its schedule when it is replayed', async () => {
    const receiver = await startReceiver(status(500));
    start();
    const id = await promise(receiver.url);
    for (let attempts = 1; attempts < 5; attempts++) pass(epochMs((await failed(id, attempts)).due_at!) - epochMs(now()));
    await failed(id, 5);

    await redeliver(database(), id);

    const { due_at: dueAt } = await failed(id, 6);
    expect(epochMs(dueAt!) - epochMs(now())).toBeLessThanOrEqual(1.1 * retryWaitsMs[0]!);
  });

  it('is logged for each attempt: time, duration, status and failure', async () => {
    const statuses = [() => status(500), () => (response: ServerResponse) => void response.destroy(), () => status(204)];
    const receiver = await startReceiver((response) => statuses.shift()!()(response));
    start();
    const id = await promise(receiver.url);
    const moments = [now()];
    for (const attempts of [1, 2]) {
      pass(epochMs((await failed(id, attempts)).due_at!) - epochMs(now()));
      moments.push(now());
    }
    await delivered(id);

    const log = await logOf(id);
    expect(log).toMatchObject([
      { number: 1, started_at: moments[0], status_code: 500, failure: 'The receiver responded with 500' },
      { number: 2, started_at: moments[1], status_code: null, failure: expect.stringMatching(/^The request failed: \w+$/) },
      { number: 3, started_at: moments[2], status_code: 204, failure: '' },
    ]);
    for (const { duration_ms: durationMs } of log) expect(durationMs).toBeGreaterThanOrEqual(0);
  });
});
