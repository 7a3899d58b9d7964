import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../../server/db/database.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { callbackSender, createSender } from '../../../server/messages/callback.ts';
import { type Delivery, type DeliveryOptions, startDelivery } from '../../../server/messages/deliver.ts';
import { enqueueCallback } from '../../../server/messages/outbox.ts';
import { type DeliveryAttempt, listAttempts, type OutboxEntry } from '../../../server/messages/store.ts';
import { type Instant, plusMs } from '../../../server/base/time.ts';
import { defaultEngine, createDatabaseUrl } from '../../support/databases.ts';
import { startReceiver, status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { testKeys } from '../../support/data-keys.ts';
import { storedDelivery } from '../../support/stored.ts';

/** Sets up an outbox that is empty before each test of the current `describe`, and starts its delivery with a clock that tests advance. */
export function startDelivering(engine = defaultEngine) {
  let database: Database;
  let secondDatabase: Database;
  let merchantId: string;
  const addMerchant = async (): Promise<string> => {
    const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    return (await createMerchant(database, 'sandbox', merchant, '2026-11-21T09:30:00.000000Z')).merchantId;
  };
  beforeAll(async () => {
    const url = await createDatabaseUrl(engine);
    database = openDatabase(url, testKeys);
    await database.migrate();
    merchantId = await addMerchant();
    secondDatabase = engine === 'postgres' ? openDatabase(url, testKeys) : database;
  });
  afterAll(async () => {
    await Promise.all([...new Set([database, secondDatabase])].map((each) => each.close()));
  });

  let now: Instant;
  const clock = { now: () => now };
  let deliveries: Delivery[];
  let senders: { close(): Promise<void> }[];
  let errors: unknown[];
  beforeEach(async () => {
    now = '2026-11-21T09:30:00.000000Z';
    deliveries = [];
    senders = [];
    errors = [];
    await database.write((tx) => tx.deleteFrom('outbox').execute());
  });
  afterEach(async () => {
    await Promise.all(deliveries.map((delivery) => delivery.stop()));
    await Promise.all(senders.map((sender) => sender.close()));
    if (errors.length > 0) throw new AggregateError(errors, 'Delivery failed');
  });

  let nextNumber = 1;
  const addCallbacks = async (
    count: number,
    url: string,
    { inMs = 0, merchantId: receiverId = merchantId } = {},
  ): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => `callback_${nextNumber++}`);
    await database.write(async (tx) => {
      for (const id of ids) {
        const body = { transactionId: id, orderRef: 'O-1' };
        await enqueueCallback(tx, {
          id,
          merchantId: receiverId,
          cartId: 'cart',
          url,
          body,
          createdAt: now,
          dueAt: plusMs(now, inMs),
        });
      }
    });
    return ids;
  };
  const addCallback = async (url: string, options?: { inMs?: number; merchantId?: string }): Promise<string> =>
    (await addCallbacks(1, url, options))[0]!;
  const rowOf = (id: string): Promise<OutboxEntry> => storedDelivery(database, id);
  const delivered = (id: string) => until(async () => (await rowOf(id)).deliveredAt);

  return {
    startReceiver,
    addMerchant,
    clock,
    now: () => now,
    database: () => database,
    /** The database as opened by another process. On SQLite, where only one process delivers, the same as `database`. */
    secondDatabase: () => secondDatabase,
    merchantId: () => merchantId,
    advanceClock: (milliseconds: number): void => {
      now = plusMs(now, milliseconds);
      for (const delivery of deliveries) delivery.wake();
    },
    start: ({ timeoutMs = 20_000, ...options }: Partial<DeliveryOptions> & { timeoutMs?: number } = {}): Delivery => {
      const sender = createSender({ mode: 'sandbox', allowLoopback: true, allowedHosts: [], timeoutMs });
      senders.push(sender);
      const onError = (thrown: unknown) => void errors.push(thrown);
      const all = { callback: callbackSender(database, clock, sender.send), ...options.senders };
      const delivery = startDelivery({ database, clock, onError, pollMs: 20, ...options, senders: all });
      deliveries.push(delivery);
      return delivery;
    },
    /** Adds a callback to the outbox and returns its id. */
    addCallback,
    /** Adds callbacks to one URL and returns their ids. */
    addCallbacks,
    rowOf,
    logOf: (id: string): Promise<DeliveryAttempt[]> => listAttempts(database.query, id),
    delivered,
    /** Resolves to the row when the given number of attempts have failed and no other one is in progress. */
    failed: (id: string, attempts = 1): Promise<OutboxEntry> =>
      until(async () => {
        const row = await rowOf(id);
        return row.attempts === attempts && row.lastFailure !== '' && row.dueAt !== plusMs(now, 60_000) && row;
      }),
    /** Resolves when all due deliveries have been claimed, because a callback that was added last is delivered. */
    pollFinished: async () => delivered(await addCallback((await startReceiver(status(204))).url)),
  };
}
