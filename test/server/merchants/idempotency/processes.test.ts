import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { type Database } from '../../../../server/db/database.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { buildProject, type ReachableService, startReachableProcess } from '../../../support/process.ts';
import { isNightly } from '../../../support/campaign.ts';
import { createDatabaseUrl, describeOnEveryEngine, type Engine, openTestDatabase } from '../../../support/databases.ts';
import { chair } from '../../../support/checkout.ts';
import { type ApiResponse, fetchResponse, startService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';

/** Number of times that a process is killed at a random time. */
const ROUNDS = isNightly ? 20 : 1;

/** A database that several processes of the service share. */
interface SharedDatabase {
  url: string;
  database: Database;
  start(): Promise<ReachableService>;
  post(serviceUrl: string, path: string, body: unknown, key?: string): Promise<ApiResponse>;
  createSettledPurchase(serviceUrl: string): Promise<string>;
  /** Returns the stored adjusted total of a transaction. */
  adjustedTotalOf(id: string): Promise<number>;
  /** Ends the leases on idempotency keys, as if their time had passed. */
  endLeases(): Promise<void>;
}

async function createSharedDatabase(engine: Engine): Promise<SharedDatabase> {
  const url = await createDatabaseUrl(engine);
  const database = openTestDatabase(url);
  await database.migrate();
  const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
  const { apiKey, secret } = await createMerchant(database, 'sandbox', merchant, systemClock.now());
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  const post: SharedDatabase['post'] = (serviceUrl, path, body, key) =>
    fetchResponse(serviceUrl + path, {
      method: 'POST',
      headers: { authorization, ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify(body),
    });
  return {
    url,
    database,
    post,
    start: () => startReachableProcess(url),
    createSettledPurchase: async (serviceUrl) => {
      const cart = await post(serviceUrl, '/carts', { options: { items: [chair] } });
      const { body } = await post(serviceUrl, '/sandbox/checkouts', { cartId: cart.body.id });
      for (const type of ['authorize', 'settle']) await post(serviceUrl, `/transactions/actions/${body.transactionId}`, { type });
      return body.transactionId;
    },
    adjustedTotalOf: async (id) => {
      const row = await database.query
        .selectFrom('transactions')
        .select('adjustedTotalCents')
        .where('id', '=', id)
        .executeTakeFirst();
      return row!.adjustedTotalCents;
    },
    endLeases: () =>
      database.write(async (tx) => {
        await tx.updateTable('idempotency_keys').set({ leasedUntil: '' }).execute();
      }),
  };
}

/** Blocks the storage of idempotent responses, but not the effects of requests. Returns a function that unblocks it. */
async function blockResponses({ database: { engine, write } }: SharedDatabase): Promise<() => Promise<void>> {
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
    // The server continues to sleep after the client has disconnected.
    await run([
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
    ]);
    await run(['drop trigger held on idempotency_responses']);
  };
}

describeOnEveryEngine('A request with an idempotency key', (engine) => {
  beforeAll(buildProject, 120_000);

  it('whose process is killed before the response is stored has its effect once, and other processes respond', async () => {
    const shared = await createSharedDatabase(engine);
    const first = await shared.start();
    const id = await shared.createSettledPurchase(first.url);
    const refund = (serviceUrl: string) =>
      shared.post(serviceUrl, `/transactions/actions/${id}`, { type: 'refund', amount: 700 }, 'refund-1');

    const unblock = await blockResponses(shared);
    const withoutResponse = refund(first.url).catch((thrown: Error) => thrown);
    await until(async () => (await shared.adjustedTotalOf(id)) === 75_000 - 700, 15_000);
    await first.kill();
    expect(await withoutResponse).toBeInstanceOf(Error);
    await unblock();

    const second = await startService(engine, { databaseUrl: shared.url });
    expect(await refund(second.publicUrl)).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-use' } });
    await shared.endLeases();
    const result = await refund(second.publicUrl);
    expect(result).toMatchObject({ status: 200, body: { adjustedTotal: 75_000 - 700, status: 'SETTLED' } });

    const third = await startService(engine, { databaseUrl: shared.url });
    const replayed = await refund(third.publicUrl);
    expect([replayed.text, replayed.headers.get('idempotency-replayed')]).toEqual([result.text, 'true']);
    expect(await shared.adjustedTotalOf(id)).toBe(75_000 - 700);
  }, 90_000);

  it(
    'whose process is killed at a random time has its effect once after a retry',
    { timeout: 60_000 + ROUNDS * 30_000 },
    async () => {
      const shared = await createSharedDatabase(engine);
      const { publicUrl } = await startService(engine, { databaseUrl: shared.url });
      const id = await shared.createSettledPurchase(publicUrl);

      for (let round = 1; round <= ROUNDS; round++) {
        const service = await shared.start();
        const send = (serviceUrl: string) =>
          shared.post(serviceUrl, `/transactions/actions/${id}`, { type: 'refund', amount: 100 }, `refund-${round}`);
        const sent = send(service.url).catch(() => undefined);
        // A delay between before the request is read and after the response is sent.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
        await service.kill();
        const result = await sent;
        await shared.endLeases();

        const retried = await send(publicUrl);
        expect(retried).toMatchObject({ status: 200, body: { adjustedTotal: 75_000 - 100 * round } });
        if (result?.status === 200) expect(retried.text).toBe(result.text);
        expect(await shared.adjustedTotalOf(id)).toBe(75_000 - 100 * round);
      }
    },
  );
});
