import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { systemClock } from '../../../server/time.ts';
import { buildService, type ReachableService, startReachableProcess } from '../../support/process.ts';
import { isNightly } from '../../support/campaign.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { createDatabaseUrl, describeOnEveryEngine, type Engine } from '../../support/databases.ts';
import { chair } from '../../support/checkout.ts';
import { type ApiResponse, fetchResponse } from '../../support/service.ts';
import { until } from '../../support/time.ts';

/** A database of several processes, looked into from here, and a settled purchase of one chair. */
interface Shop {
  url: string;
  database: Database;
  start(): Promise<ReachableService>;
  post(address: string, path: string, body: unknown, key?: string): Promise<ApiResponse>;
  givenSettled(address: string): Promise<string>;
  /** What is left of a transaction, as it is stored. */
  leftOf(id: string): Promise<number>;
  /** Moves the clock by half a minute, so that leases on idempotency keys expire. */
  endLeases(): Promise<void>;
}

async function givenShop(engine: Engine): Promise<Shop> {
  const { url, remove } = await createDatabaseUrl(engine);
  onCleanup(remove);
  const database = openDatabase(url);
  onCleanup(() => database.close());
  await database.migrate();
  const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
  const { apiKey, secret } = await createMerchant(database, 'sandbox', merchant, systemClock.now());
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  const post: Shop['post'] = (address, path, body, key) =>
    fetchResponse(address + path, {
      method: 'POST',
      headers: { authorization, ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify(body),
    });
  return {
    url,
    database,
    post,
    start: () => startReachableProcess(url),
    givenSettled: async (address) => {
      const cart = await post(address, '/carts', { options: { items: [chair] } });
      const { body } = await post(address, '/sandbox/checkouts', { cartId: cart.body.id });
      for (const type of ['authorize', 'settle']) await post(address, `/transactions/actions/${body.transactionId}`, { type });
      return body.transactionId;
    },
    leftOf: async (id) => {
      const row = await database.query
        .selectFrom('transactions')
        .select('adjusted_total_cents')
        .where('id', '=', id)
        .executeTakeFirst();
      return row!.adjusted_total_cents;
    },
    endLeases: () =>
      database.write(async (tx) => {
        await tx.updateTable('idempotency_keys').set({ leased_until: '' }).execute();
      }),
  };
}

/** Makes the database take for ever to store an answer, and no effect. */
async function delayResponses({ database: { engine, write } }: Shop): Promise<() => Promise<void>> {
  const run = (statements: string[]) =>
    write(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
    });
  await run(
    engine === 'sqlite'
      ? [
          `create trigger held before insert on idempotency_responses begin
             select count(*) from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000000000) select i from n);
           end`,
        ]
      : [
          `create function hold() returns trigger language plpgsql as $$ begin perform pg_sleep(3600); return new; end $$`,
          `create trigger held before insert on idempotency_responses for each row execute function hold()`,
        ],
  );
  return async () => {
    if (engine === 'sqlite') return run(['drop trigger held']);
    // The server goes on sleeping for a client that is gone.
    await run([
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
    ]);
    await run(['drop trigger held on idempotency_responses']);
  };
}

describeOnEveryEngine('A keyed request', (engine) => {
  beforeAll(buildService, 120_000);

  it('whose process is killed between its effect and its response has that effect once, and the next process responds', async () => {
    const shop = await givenShop(engine);
    const first = await shop.start();
    const id = await shop.givenSettled(first.url);
    const refund = (address: string) =>
      shop.post(address, `/transactions/actions/${id}`, { type: 'refund', amount: 700 }, 'refund-1');

    const release = await delayResponses(shop);
    const withoutResponse = refund(first.url).catch((thrown: Error) => thrown);
    await until(async () => (await shop.leftOf(id)) === 75_000 - 700, 15_000);
    await first.kill();
    expect(await withoutResponse).toBeInstanceOf(Error);
    await release();

    const second = await shop.start();
    expect(await refund(second.url)).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-use' } });
    await shop.endLeases();
    const result = await refund(second.url);
    expect(result).toMatchObject({ status: 200, body: { adjustedTotal: 75_000 - 700, status: 'SETTLED' } });
    await second.kill();

    const third = await shop.start();
    const replayed = await refund(third.url);
    expect([replayed.text, replayed.headers.get('idempotency-replayed')]).toEqual([result.text, 'true']);
    expect(await shop.leftOf(id)).toBe(75_000 - 700);
  }, 90_000);

  it('killed at any moment and repeated until it receives a response adjusts its amount once', async () => {
    const shop = await givenShop(engine);
    let service = await shop.start();
    const id = await shop.givenSettled(service.url);
    const rounds = isNightly ? 20 : 2;

    for (let round = 1; round <= rounds; round++) {
      const send = () =>
        shop.post(service.url, `/transactions/actions/${id}`, { type: 'refund', amount: 100 }, `refund-${round}`);
      const sent = send().catch(() => undefined);
      // From before it is read to after it is answered.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
      await service.kill();
      const result = await sent;
      service = await shop.start();
      await shop.endLeases();

      const again = await send();
      expect(again).toMatchObject({ status: 200, body: { adjustedTotal: 75_000 - 100 * round } });
      if (result?.status === 200) expect(again.text).toBe(result.text);
      expect(await shop.leftOf(id)).toBe(75_000 - 100 * round);
    }
  }, 120_000);
});

describe('Two processes on one PostgreSQL server', () => {
  beforeAll(buildService, 120_000);

  it('process 64 requests with one key once', async () => {
    const shop = await givenShop('postgres');
    const [one, other] = await Promise.all([shop.start(), shop.start()]);
    const id = await shop.givenSettled(one.url);
    const refund = (index: number) =>
      shop.post([one, other][index % 2]!.url, `/transactions/actions/${id}`, { type: 'refund', amount: 100 }, 'once');

    const responses = await Promise.all(Array.from({ length: 64 }, (_, index) => refund(index)));

    expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(new Set(responses.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(await shop.leftOf(id)).toBe(74_900);
    const [here, there] = [await refund(0), await refund(1)];
    expect([here.status, here.text]).toEqual([200, there.text]);
  }, 90_000);
});
