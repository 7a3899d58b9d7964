import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { type Delivery, type DeliveryOptions, startDelivery } from '../../../server/notifications/deliver.ts';
import { claimDue, enqueueCallback } from '../../../server/notifications/outbox.ts';
import { retryWaitsMs } from '../../../server/notifications/retries.ts';
import { createSender } from '../../../server/notifications/send.ts';
import { DAY_MS, epochMs, type Instant, plusMs } from '../../../server/time.ts';
import { describeOnEveryEngine, givenDatabaseUrl } from '../../support/engines.ts';
import { until } from '../../support/until.ts';
import { receivers, status } from './listening.ts';

describeOnEveryEngine('Delivery', (engine) => {
  const givenReceiver = receivers();
  let database: Database;
  /** As another process has it. On SQLite processes do not share a delivery; two of one process do. */
  let secondDatabase: Database;
  let merchantId: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const given = await givenDatabaseUrl(engine);
    remove = given.remove;
    database = openDatabase(given.url);
    await database.migrate();
    const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    ({ merchantId } = await createMerchant(database, 'sandbox', merchant, '2026-11-21T09:30:00.000000Z'));
    secondDatabase = engine === 'postgres' ? openDatabase(given.url) : database;
  });
  afterAll(async () => {
    await Promise.all([...new Set([database, secondDatabase])].map((each) => each.close()));
    await remove();
  });

  let now: Instant;
  const clock = { now: () => now };
  const pass = (milliseconds: number) => {
    now = plusMs(now, milliseconds);
    for (const delivery of deliveries) delivery.wake();
  };
  let deliveries: Delivery[];
  let senders: { close(): Promise<void> }[];
  let faults: unknown[];
  beforeEach(async () => {
    now = '2026-11-21T09:30:00.000000Z';
    [deliveries, senders, faults] = [[], [], []];
    await database.write((tx) => tx.deleteFrom('outbox').execute());
  });
  afterEach(async () => {
    await Promise.all(deliveries.map((delivery) => delivery.stop()));
    await Promise.all(senders.map((sender) => sender.close()));
    if (faults.length > 0) throw new AggregateError(faults, 'Delivery met with faults');
  });

  const start = ({ timeoutMs = 5_000, ...options }: Partial<DeliveryOptions> & { timeoutMs?: number } = {}): Delivery => {
    const sender = createSender({ allowLoopback: true, allowedHosts: [], timeoutMs });
    senders.push(sender);
    const onError = (thrown: unknown) => void faults.push(thrown);
    const delivery = startDelivery({ database, clock, send: sender.send, onError, pollMs: 20, ...options });
    deliveries.push(delivery);
    return delivery;
  };
  let next = 1;
  const promise = async (url: string, inMs = 0): Promise<string> => {
    const id = `callback_${next++}`;
    const callback = {
      id,
      merchantId,
      url,
      body: { transactionId: id, orderRef: 'O-1' },
      createdAt: now,
      dueAt: plusMs(now, inMs),
    };
    await database.write((tx) => enqueueCallback(tx, callback));
    return id;
  };
  const rowOf = (id: string) => database.query.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const delivered = (id: string) => until(async () => (await rowOf(id)).delivered_at);
  const failed = (id: string, attempts = 1) =>
    until(async () => {
      const row = await rowOf(id);
      return row.attempts === attempts && row.last_failure !== '' && row.due_at !== plusMs(now, 60_000) && row;
    });
  /** What is due has been looked at: a callback that came last has left. */
  const lookedThrough = async () => delivered(await promise((await givenReceiver(status(204))).url));

  it('posts what is due, once, with exactly its body', async () => {
    const receiver = await givenReceiver(status(204));
    const id = await promise(receiver.url);

    start();
    await delivered(id);

    expect(await rowOf(id)).toMatchObject({ attempts: 1, due_at: null, delivered_at: now, last_failure: '' });
    pass(4 * DAY_MS);
    await lookedThrough();
    expect(receiver.bodies).toEqual([`{"transactionId":"${id}","orderRef":"O-1"}`]);
  });

  it('sends what comes while it runs, without being woken', async () => {
    const receiver = await givenReceiver(status(204));
    start();

    await delivered(await promise(receiver.url));

    expect(receiver.bodies).toHaveLength(1);
  });

  it('sends at once when it is woken', async () => {
    const receiver = await givenReceiver(status(204));
    const delivery = start({ pollMs: 3_600_000 });
    const first = await promise(receiver.url);
    delivery.wake();
    await delivered(first);

    const second = await promise(receiver.url);
    delivery.wake();

    await delivered(second);
  });

  it('does not send before it is due', async () => {
    const receiver = await givenReceiver(status(204));
    start();
    const id = await promise(receiver.url, 3_600_000);

    pass(3_599_999);
    await lookedThrough();
    expect(receiver.bodies).toEqual([]);

    pass(1);
    await delivered(id);
    expect(receiver.bodies).toHaveLength(1);
  });

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
      const waited = epochMs(dueAt!) - epochMs(now);
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

  it('gives up after ten attempts over three days, and says why [CHOICE-35]', async () => {
    const receiver = await givenReceiver(status(500));
    start();
    const id = await promise(receiver.url);
    const startedAt = now;

    for (let attempts = 1; attempts < 10; attempts++) {
      const { due_at: dueAt } = await failed(id, attempts);
      pass(epochMs(dueAt!) - epochMs(now));
      await until(() => receiver.bodies.length === attempts + 1);
    }

    const row = await until(async () => {
      const given = await rowOf(id);
      return given.due_at === null && given;
    });
    expect(row).toMatchObject({ attempts: 10, delivered_at: null, last_failure: 'The receiver answered 500' });
    expect(epochMs(now) - epochMs(startedAt)).toBeGreaterThan(2.7 * DAY_MS);
    pass(30 * DAY_MS);
    await lookedThrough();
    expect(receiver.bodies).toHaveLength(10);
  });

  it('gives other receivers their callbacks while one hangs, and tries that one again', async () => {
    let hangs = true;
    const hung = await givenReceiver((response) => hangs || status(204)(response));
    start({ timeoutMs: 300 });
    const waiting = await promise(hung.url);
    await until(() => hung.bodies.length === 1);

    await lookedThrough();
    const during = await rowOf(waiting);

    expect(await failed(waiting)).toMatchObject({ last_failure: 'No answer within 300 ms', delivered_at: null });
    expect(during).toMatchObject({ attempts: 1, last_failure: '', delivered_at: null });
    hangs = false;
    pass(1.1 * retryWaitsMs[0]!);
    await delivered(waiting);
    expect(hung.bodies).toHaveLength(2);
  });

  it('gives other receivers their callbacks while one hangs that has a hundred to get', async () => {
    const hung = await givenReceiver(() => undefined);
    const sound = await givenReceiver(status(204));
    for (let count = 0; count < 100; count++) await promise(hung.url);
    const id = await promise(sound.url, 1);
    now = plusMs(now, 1);

    start({ timeoutMs: 1_500 });

    await until(() => hung.bodies.length > 0);
    await until(async () => (await rowOf(id)).delivered_at, 1_000);
  });

  it('takes a redirect for a failure and does not follow it', async () => {
    const elsewhere = await givenReceiver(status(204));
    const receiver = await givenReceiver(status(307, { location: elsewhere.url }));
    start();
    const id = await promise(receiver.url);

    expect(await failed(id)).toMatchObject({ last_failure: 'The receiver answered 307' });

    expect(elsewhere.connections).toBe(0);
  });

  it('goes on where a process died in the middle of an attempt, after its lease', async () => {
    const receiver = await givenReceiver(status(204));
    const id = await promise(receiver.url);
    const claimed = await claimDue(
      database,
      { limit: 10, limitPerEndpoint: 10, limitPerMerchant: 10, underWay: new Map() },
      now,
      plusMs(now, 60_000),
    );
    expect(claimed).toMatchObject([{ id, attempts: 1 }]);

    start();
    pass(59_999);
    await lookedThrough();
    expect(receiver.bodies).toEqual([]);

    pass(1);
    await delivered(id);
    expect(receiver.bodies).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ attempts: 2 });
  });

  it('shares the outbox with another one, and neither sends what the other has sent', async () => {
    const receiver = await givenReceiver(status(204));
    const ids: string[] = [];
    for (let count = 0; count < 150; count++) ids.push(await promise(receiver.url));

    start();
    start({ database: secondDatabase });
    for (const id of ids) await delivered(id);

    expect(receiver.bodies.map((body) => JSON.parse(body).transactionId as string).toSorted()).toEqual(ids.toSorted());
    const attempts = await database.query.selectFrom('outbox').select('attempts').distinct().execute();
    expect(attempts).toEqual([{ attempts: 1 }]);
  });

  it('lets a receiver call back before it answers: the callback is there to be read, and nothing is locked', async () => {
    const receiver = await givenReceiver((response, body) => {
      const { transactionId } = JSON.parse(body);
      void database
        .write(async (tx) => {
          const row = await tx.selectFrom('outbox').select('id').where('id', '=', transactionId).executeTakeFirstOrThrow();
          await tx.updateTable('outbox').set({ last_failure: 'touched' }).where('id', '=', row.id).execute();
        })
        .then(() => status(200)(response));
    });
    start({ timeoutMs: 2_000 });

    await delivered(await promise(receiver.url));
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

  it('waits, when it stops, for what is under way, and writes down how that ended', async () => {
    let answer: () => void = () => undefined;
    const receiver = await givenReceiver((response) => {
      answer = () => status(204)(response);
    });
    const delivery = start();
    const id = await promise(receiver.url);
    await until(() => receiver.bodies.length === 1);

    let stopped = false;
    const stopping = (async () => {
      await delivery.stop();
      stopped = true;
    })();
    // A round trip to the database is more than enough for a stop that does not wait.
    await rowOf(id);
    await rowOf(id);
    expect(stopped).toBe(false);
    answer();
    await stopping;

    expect(await rowOf(id)).toMatchObject({ delivered_at: now });
  });

  it('sends nothing more once it has stopped', async () => {
    const receiver = await givenReceiver(status(204));
    const stopped = start();
    await stopped.stop();

    const id = await promise(receiver.url);
    stopped.wake();
    start({ database: secondDatabase });
    await delivered(id);

    expect(receiver.bodies).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ attempts: 1 });
  });
});
