import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { retryWaitsMs } from '../../../server/notifications/retries.ts';
import { DAY_MS, epochMs } from '../../../server/time.ts';
import { describeOnEveryEngine } from '../../support/engines.ts';
import { until } from '../../support/until.ts';
import { givenDelivering } from './delivering.ts';
import { status } from './listening.ts';

describeOnEveryEngine('Delivery of what a receiver did not take', (engine) => {
  const { givenReceiver, now, pass, start, promise, rowOf, delivered, failed, lookedThrough } = givenDelivering(engine);

  it('tries again after the scheduled wait when the receiver answers 500, until it is taken', async () => {
    const answers = [500, 503, 204];
    const receiver = await givenReceiver((response) => status(answers.shift()!)(response));
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
      expect(receiver.bodies).toHaveLength(attempts);
      pass(1);
      await until(() => receiver.bodies.length === attempts + 1);
    }

    await delivered(id);
    expect(await rowOf(id)).toMatchObject({ attempts: 3, due_at: null, last_failure: '' });
    expect(new Set(receiver.bodies).size).toBe(1);
  });

  it('gives up after ten attempts over three days, and says why', async () => {
    const receiver = await givenReceiver(status(500));
    start();
    const id = await promise(receiver.url);
    const startedAt = now();

    for (let attempts = 1; attempts < 10; attempts++) {
      const { due_at: dueAt } = await failed(id, attempts);
      pass(epochMs(dueAt!) - epochMs(now()));
      await until(() => receiver.bodies.length === attempts + 1);
    }

    const row = await until(async () => {
      const given = await rowOf(id);
      return given.due_at === null && given;
    });
    expect(row).toMatchObject({ attempts: 10, delivered_at: null, last_failure: 'The receiver answered 500' });
    expect(epochMs(now()) - epochMs(startedAt)).toBeGreaterThan(2.7 * DAY_MS);
    pass(30 * DAY_MS);
    await lookedThrough();
    expect(receiver.bodies).toHaveLength(10);
  });

  it('takes a redirect for a failure and does not follow it', async () => {
    const elsewhere = await givenReceiver(status(204));
    const receiver = await givenReceiver(status(307, { location: elsewhere.url }));
    start();
    const id = await promise(receiver.url);

    expect(await failed(id)).toMatchObject({ last_failure: 'The receiver answered 307' });

    expect(elsewhere.connections).toBe(0);
  });

  it.each([
    ['a refusal', () => status(500)],
    ['a hang', () => () => undefined],
    ['a lost connection', () => (response: ServerResponse) => void response.destroy()],
  ])('keeps, after %s, neither the address nor the body as the failure', async (_, answer) => {
    const receiver = await givenReceiver(answer());
    start({ timeoutMs: 200 });
    const id = await promise(`${receiver.url}?token=hidden`);

    const { last_failure: failure } = await failed(id);

    expect(failure).toMatch(/^(The|No) [\w: ]+$/);
    for (const unwanted of ['hidden', '127.0.0.1', String(receiver.port), id]) expect(failure).not.toContain(unwanted);
  });
});
