import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { callbackSender, createSender } from '../../../server/notifications/callback.ts';
import { type Delivery, type DeliveryOptions, startDelivery } from '../../../server/notifications/deliver.ts';
import { enqueueCallback } from '../../../server/notifications/outbox.ts';
import { type AttemptRow, listAttempts, type OutboxRow } from '../../../server/notifications/store.ts';
import { type Instant, plusMs } from '../../../server/time.ts';
import { defaultEngine, createDatabaseUrl } from '../../support/databases.ts';
import { startReceiver, status } from '../../support/http.ts';
import { until } from '../../support/time.ts';

/** The outbox and its delivery, for the examples around: a clock that only they move, and an outbox that each finds empty. */
export function givenDelivering(engine = defaultEngine) {
  let database: Database;
  let secondDatabase: Database;
  let merchantId: string;
  let remove: () => Promise<void>;
  const givenMerchant = async (): Promise<string> => {
    const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    return (await createMerchant(database, 'sandbox', merchant, '2026-11-21T09:30:00.000000Z')).merchantId;
  };
  beforeAll(async () => {
    const given = await createDatabaseUrl(engine);
    remove = given.remove;
    database = openDatabase(given.url);
    await database.migrate();
    merchantId = await givenMerchant();
    secondDatabase = engine === 'postgres' ? openDatabase(given.url) : database;
  });
  afterAll(async () => {
    await Promise.all([...new Set([database, secondDatabase])].map((each) => each.close()));
    await remove();
  });

  let now: Instant;
  const clock = { now: () => now };
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

  let next = 1;
  const promiseMany = async (count: number, url: string, { inMs = 0, of = merchantId } = {}): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => `callback_${next++}`);
    await database.write(async (tx) => {
      for (const id of ids) {
        const body = { transactionId: id, orderRef: 'O-1' };
        await enqueueCallback(tx, { id, merchantId: of, url, body, createdAt: now, dueAt: plusMs(now, inMs) });
      }
    });
    return ids;
  };
  const promise = async (url: string, options?: { inMs?: number; of?: string }): Promise<string> =>
    (await promiseMany(1, url, options))[0]!;
  const rowOf = (id: string): Promise<OutboxRow> =>
    database.query.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const delivered = (id: string) => until(async () => (await rowOf(id)).delivered_at);

  return {
    startReceiver,
    givenMerchant,
    clock,
    now: () => now,
    database: () => database,
    /** As another process has it. On SQLite processes do not share a delivery; two of one process do. */
    secondDatabase: () => secondDatabase,
    merchantId: () => merchantId,
    pass: (milliseconds: number): void => {
      now = plusMs(now, milliseconds);
      for (const delivery of deliveries) delivery.wake();
    },
    start: ({ timeoutMs = 20_000, ...options }: Partial<DeliveryOptions> & { timeoutMs?: number } = {}): Delivery => {
      const sender = createSender({ mode: 'sandbox', allowLoopback: true, allowedHosts: [], timeoutMs });
      senders.push(sender);
      const onError = (thrown: unknown) => void faults.push(thrown);
      const all = { callback: callbackSender(database, clock, sender.send), ...options.senders };
      const delivery = startDelivery({ database, clock, onError, pollMs: 20, ...options, senders: all });
      deliveries.push(delivery);
      return delivery;
    },
    /** Promises a callback and answers its id. */
    promise,
    /** Promises as many callbacks to one address and answers their ids. */
    promiseMany,
    rowOf,
    logOf: (id: string): Promise<AttemptRow[]> => listAttempts(database.query, id),
    delivered,
    /** Its latest attempt has failed, and the next one, if any, is not under way. */
    failed: (id: string, attempts = 1): Promise<OutboxRow> =>
      until(async () => {
        const row = await rowOf(id);
        return row.attempts === attempts && row.last_failure !== '' && row.due_at !== plusMs(now, 60_000) && row;
      }),
    /** What is due has been looked at: a callback that came last has left. */
    lookedThrough: async () => delivered(await promise((await startReceiver(status(204))).url)),
  };
}
