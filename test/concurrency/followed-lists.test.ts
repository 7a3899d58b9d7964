/** Clients that follow lists in ascending order while two processes write (server/decisions/0045). */
import { beforeAll, expect, it } from 'vitest';
import { startJob } from '../../server/base/job.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { systemClock } from '../../server/base/time.ts';
import type { Application } from '../../shared/wire/application.ts';
import { isNightly } from '../support/campaign.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../support/databases.ts';
import { buildProject, startReachableProcess } from '../support/process.ts';
import { clientOf, listApplications, requestToken } from '../support/service.ts';
import { until } from '../support/time.ts';
import { concurrently, SLOW } from './processes.ts';

const BUYERS = 12;
const PURCHASES_PER_BUYER = isNightly ? 10 : 3;
const POLL_MS = 10;

beforeAll(() => buildProject());

/** Follows a list until it is stopped. `read` returns the items after the last one. */
function follow<Item>(read: (last: Item | undefined) => Promise<Item[]>) {
  const received: Item[] = [];
  const errors: unknown[] = [];
  const poll = async () => void received.push(...(await read(received.at(-1))));
  const job = startJob(POLL_MS, poll, (thrown) => errors.push(thrown));
  const stop = async () => {
    await job.stop();
    expect(errors).toEqual([]);
  };
  return { received, stop };
}

describeOnEveryEngine('Lists in ascending order', (engine) => {
  async function startTwo() {
    const url = await createMigratedDatabaseUrl(engine);
    const database = openTestDatabase(url);
    const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    const merchant = await createMerchant(database, 'sandbox', shop, systemClock.now());
    const processes = [await startReachableProcess(url), await startReachableProcess(url)] as const;
    const clients = processes.map((process) => clientOf(process.url, merchant));
    return { database, merchant, processes, at: (turn: number) => clients[turn % clients.length]! };
  }

  it('deliver every application, every change of one and every event while two processes serve 12 buyers', SLOW, async () => {
    const { database, merchant, processes, at } = await startTwo();
    const followApplications = async (url: string, by: 'createdAt' | 'updatedAt') => {
      const token = await requestToken(url, merchant);
      return follow<Application>(async (last) => {
        const cursor = last && `&lastTimestamp.eq=${last[by]}&lastID.eq=${last.id}`;
        return (await listApplications(url, token, `sort=${by}.asc&limit=200${cursor ?? ''}`)).body.applications;
      });
    };
    const created = await followApplications(processes[0].url, 'createdAt');
    const changed = await followApplications(processes[1].url, 'updatedAt');
    let polls = 0;
    const events = follow<{ id: string }>(async (last) => {
      const { body } = await at((polls += 1)).get(`/events?limit=200${last ? `&after=${last.id}` : ''}`);
      return body.events;
    });

    const cartIds: string[] = [];
    await concurrently(async (buyer) => {
      for (let turn = buyer; turn < buyer + PURCHASES_PER_BUYER; turn += 1) {
        const { body: cart } = await at(turn).post('/carts', { options: { customTotal: 75_000 } });
        const { body } = await at(turn + 1).post('/sandbox/checkouts', { cartId: cart.id });
        await at(turn).post(`/transactions/actions/${body.transactionId}`, { type: 'authorize' });
        await at(turn + 1).post(`/transactions/actions/${body.transactionId}`, { type: 'settle' });
        cartIds.push(cart.id);
      }
    }, BUYERS);
    expect(cartIds).toHaveLength(BUYERS * PURCHASES_PER_BUYER);
    const recorded = (await database.query.selectFrom('events').select('id').execute()).map(({ id }) => id);
    expect(recorded).toHaveLength(cartIds.length * 4);

    const notDelivered = () => {
      const inCreated = new Set(created.received.map(({ cartID }) => cartID));
      const completed = changed.received.filter(({ status }) => status === 'CHECKOUT_COMPLETED');
      const inChanged = new Set(completed.map(({ cartID }) => cartID));
      const inEvents = new Set(events.received.map(({ id }) => id));
      return [...cartIds.filter((id) => !inCreated.has(id) || !inChanged.has(id)), ...recorded.filter((id) => !inEvents.has(id))];
    };
    // Everything is committed, so what is not delivered within seconds is never delivered.
    await until(() => notDelivered().length === 0, 5_000).catch(() => undefined);
    await Promise.all([created, changed, events].map(({ stop }) => stop()));
    expect(notDelivered()).toEqual([]);
    expect(events.received).toHaveLength(recorded.length);
  });

  it('of events have exactly one for each change, also of a process that is killed', SLOW, async () => {
    const { database, processes, at } = await startTwo();
    const { body: cart } = await at(0).post('/carts', { options: { customTotal: 75_000 } });
    const { body } = await at(0).post('/sandbox/checkouts', { cartId: cart.id });
    await at(0).post(`/transactions/actions/${body.transactionId}`, { type: 'authorize' });
    let sent = 0;
    const ship = async () => {
      for (;;) await at(0).post(`/transactions/${body.transactionId}/shipment`, { carrierName: `Carrier ${(sent += 1)}` });
    };
    const writers = Promise.allSettled(Array.from({ length: 4 }, ship));
    await until(() => sent > 50, 60_000);
    processes[0].child.kill('SIGKILL');
    await writers;

    const { query } = database;
    const journal = await query.selectFrom('transaction_entries').select('type').where('type', '=', 'shipped').execute();
    const shipments = await query.selectFrom('events').select('id').where('type', '=', 'shipment.updated').execute();
    expect(journal.length).toBeGreaterThan(40);
    expect(shipments).toHaveLength(journal.length);
  });
});
