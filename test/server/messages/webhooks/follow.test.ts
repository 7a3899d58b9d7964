/** Clients that follow the list of events (server/decisions/0045). */
import { beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { startJob } from '../../../../server/base/job.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { isNightly } from '../../../support/campaign.ts';
import { testKeys } from '../../../support/data-keys.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../../support/databases.ts';
import { buildProject, startReachableProcess } from '../../../support/process.ts';
import { clientOf } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';

const WRITERS = 12;
const PURCHASES_PER_WRITER = isNightly ? 10 : 3;
const POLL_MS = 10;

beforeAll(() => buildProject());

async function startTwo(engine: 'sqlite' | 'postgres') {
  const url = await createMigratedDatabaseUrl(engine);
  const setup = openDatabase(url, testKeys);
  const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
  const merchant = await createMerchant(setup, 'sandbox', shop, systemClock.now());
  await setup.close();
  const processes = [await startReachableProcess(url), await startReachableProcess(url)] as const;
  const clients = processes.map((process) => clientOf(process.url, merchant));
  return { url, processes, at: (turn: number) => clients[turn % clients.length]! };
}

describeOnEveryEngine('The list of events', (engine) => {
  it('has every event after the last one that a client has, while two processes write', { timeout: 180_000 }, async () => {
    const { url, at } = await startTwo(engine);
    const received: string[] = [];
    const errors: unknown[] = [];
    const follower = startJob(
      POLL_MS,
      async () => {
        const after = received.at(-1);
        const { body } = await at(received.length).get(`/events?limit=200${after ? `&after=${after}` : ''}`);
        received.push(...body.events.map(({ id }: { id: string }) => id));
      },
      (thrown) => errors.push(thrown),
    );

    const buy = async (writer: number) => {
      for (let turn = writer; turn < writer + PURCHASES_PER_WRITER; turn += 1) {
        const { body: cart } = await at(turn).post('/carts', { options: { customTotal: 75_000 } });
        const { body } = await at(turn + 1).post('/sandbox/checkouts', { cartId: cart.id });
        await at(turn).post(`/transactions/actions/${body.transactionId}`, { type: 'authorize' });
        await at(turn + 1).post(`/transactions/actions/${body.transactionId}`, { type: 'settle' });
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => buy(writer)));

    const database = openTestDatabase(url);
    const recorded = (await database.query.selectFrom('events').select('id').execute()).map(({ id }) => id);
    expect(recorded).toHaveLength(WRITERS * PURCHASES_PER_WRITER * 4);
    // Everything is committed, so an event that is not received within seconds is never received.
    await until(() => received.length >= recorded.length, 5_000).catch(() => undefined);
    await follower.stop();
    expect(errors).toEqual([]);
    expect(received.toSorted()).toEqual(recorded.toSorted());
  });

  it('has exactly one event for each change, also of a process that is killed', { timeout: 180_000 }, async () => {
    const { url, processes, at } = await startTwo(engine);
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

    const { query } = openTestDatabase(url);
    const journal = await query.selectFrom('transaction_entries').select('type').where('type', '=', 'shipped').execute();
    const shipments = await query.selectFrom('events').select('id').where('type', '=', 'shipment.updated').execute();
    expect(journal.length).toBeGreaterThan(40);
    expect(shipments).toHaveLength(journal.length);
  });
});
