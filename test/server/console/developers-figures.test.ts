import { expect, it } from 'vitest';
import { readDeliveries, readRequests } from '../../../server/console/developers/figures.ts';
import { spansOf } from '../../../server/console/home/figures.ts';
import type { Query } from '../../../server/db/database.ts';
import type { OutboxTable } from '../../../server/db/schema.ts';
import { idOf } from '../../../server/base/ids.ts';
import { type Instant, plusMs } from '../../../server/base/time.ts';
import { countRequests } from '../../../server/merchants/requests/store.ts';
import { outboxRow } from '../../../server/messages/outbox.ts';
import { countDeliveries } from '../../../server/messages/store.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../support/databases.ts';
import { plannerOf } from '../../support/programs.ts';
import { createBuyer } from '../../support/purchases.ts';

const NOW: Instant = '2026-11-24T15:00:00.000000Z';
const ZONE = 'America/New_York';
const YESTERDAY: Instant = '2026-11-24T04:59:59.999000Z';
const TODAY: Instant = '2026-11-24T05:00:00.000000Z';
const BEFORE: Instant = '2026-11-22T12:00:00.000000Z';
const SPANS = spansOf('day', 3, NOW, ZONE);
const PERIOD = { from: BEFORE, before: NOW };

const DELIVERED = { dueAt: null, deliveredAt: NOW, attempts: 1 };
const RETRIED = { dueAt: NOW, attempts: 1, lastFailure: '500' };
const FAILED = { dueAt: null, attempts: 9, lastFailure: '500' };
/** For the first delivery to its webhook. */
const WAITING = { dueAt: null };

describeOnEveryEngine('The figures of developers', async (engine) => {
  const url = await createMigratedDatabaseUrl(engine);
  const database = openTestDatabase(url);
  let sequence = 0;

  const addDelivery = (
    merchantId: string,
    channel: 'callback' | 'webhook' | 'email',
    createdAt: Instant,
    change: Partial<OutboxTable>,
  ) => {
    const id = idOf(merchantId, (sequence += 1), createdAt);
    const delivery = { id, merchantId, channel, endpoint: 'e', url: 'https://shop.example/', body: '{}', createdAt, dueAt: NOW };
    return database.write((tx) =>
      tx
        .insertInto('outbox')
        .values({ ...outboxRow(tx, delivery), ...change } as never)
        .execute(),
    );
  };
  const addRequest = (merchantId: string, createdAt: Instant, status: number, code: string | null) => {
    const request = { merchantId, keyId: 'k', method: 'POST', path: '/carts', status, code } as const;
    const id = idOf(merchantId, (sequence += 1), createdAt);
    return database.write((tx) =>
      tx
        .insertInto('merchant_requests')
        .values({ id, ...request })
        .execute(),
    );
  };
  const sourceOf = (merchantId: string) => ({ query: database.query, mode: 'live', merchantId }) as const;

  it('count callbacks and events by their result on the day on which they were created, in the time zone of the merchant', async () => {
    const { merchantId } = await createBuyer(database, NOW);
    const other = await createBuyer(database, NOW);
    await addDelivery(merchantId, 'callback', YESTERDAY, DELIVERED);
    await addDelivery(merchantId, 'webhook', TODAY, DELIVERED);
    await addDelivery(merchantId, 'webhook', TODAY, RETRIED);
    await addDelivery(merchantId, 'webhook', TODAY, WAITING);
    await addDelivery(merchantId, 'callback', TODAY, FAILED);
    await addDelivery(merchantId, 'email', TODAY, DELIVERED);
    await addDelivery(other.merchantId, 'webhook', TODAY, DELIVERED);

    expect(await readDeliveries(sourceOf(merchantId), SPANS, NOW)).toEqual([
      { delivered: 0, pending: 0, failed: 0 },
      { delivered: 1, pending: 0, failed: 0 },
      { delivered: 1, pending: 2, failed: 1 },
    ]);
  });

  it('read days that are over again only as long as something of them was not delivered', async () => {
    const { merchantId } = await createBuyer(database, NOW);
    await addDelivery(merchantId, 'webhook', BEFORE, DELIVERED);
    await addDelivery(merchantId, 'webhook', YESTERDAY, FAILED);
    const read = () => readDeliveries(sourceOf(merchantId), SPANS, NOW);
    await read();
    await addDelivery(merchantId, 'webhook', BEFORE, DELIVERED);
    // As if it was sent again.
    await database.write((tx) => tx.updateTable('outbox').set(DELIVERED).where('merchantId', '=', merchantId).execute());

    expect((await read()).map(({ delivered, failed }) => [delivered, failed])).toEqual([
      [1, 0],
      [1, 0],
      [0, 0],
    ]);
  });

  it('count requests by their status on the day on which they were received', async () => {
    const { merchantId } = await createBuyer(database, NOW);
    const other = await createBuyer(database, NOW);
    await addRequest(merchantId, YESTERDAY, 200, null);
    await addRequest(merchantId, TODAY, 200, null);
    await addRequest(merchantId, TODAY, 201, null);
    await addRequest(merchantId, plusMs(TODAY, 1), 404, 'cart-not-found');
    await addRequest(merchantId, plusMs(TODAY, 2), 500, 'fault');
    await addRequest(other.merchantId, TODAY, 404, 'cart-not-found');

    expect(await readRequests(sourceOf(merchantId), SPANS, NOW)).toEqual([
      { succeeded: 0, rejected: 0, failed: 0 },
      { succeeded: 1, rejected: 0, failed: 0 },
      { succeeded: 2, rejected: 1, failed: 1 },
    ]);
  });

  it.each([
    ['outbox', 'outbox_by_merchant', (query) => countDeliveries(query, 'm', [PERIOD])],
    ['merchant_requests', 'merchant_requests_by_merchant', (query) => countRequests(query, 'm', [PERIOD])],
  ] satisfies [string, string, (query: Query) => Promise<unknown>][])(
    'of %s are read from the index of a merchant',
    async (table, index, count) => {
      const planner = plannerOf(engine, url, table);
      onCleanup(() => planner.close());
      expect((await planner.planOf(count)).indexes).toEqual([index]);
    },
  );
});
