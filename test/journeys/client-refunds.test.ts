/**
 * A merchant's refund when the service crashes or fails between the refund and storing the response for the idempotency key. In
 * every case, the client's retries result in exactly one refund.
 */
import { Fairterm, UnknownOutcomeError } from 'fairterm/client';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { type CreatedMerchant, createMerchant } from '../../server/merchants/merchants.ts';
import { systemClock } from '../../server/time.ts';
import { buildService, type ReachableService, startReachableProcess } from '../support/process.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createDatabaseUrl, describeOnEveryEngine, type Engine } from '../support/databases.ts';
import { until } from '../support/time.ts';

/** What the database does when a response is stored: block for longer than any test takes, or fail. */
const failure: Record<Engine, Record<'never ends' | 'fails', string>> = {
  sqlite: {
    'never ends': 'select count(*) from (with recursive c(n) as (select 1 union all select n + 1 from c) select n from c);',
    fails: "select raise(abort, 'disk full');",
  },
  postgres: { 'never ends': 'perform pg_sleep(600);', fails: "raise exception 'disk full';" },
};

async function startFailing(database: Database, kind: 'never ends' | 'fails'): Promise<void> {
  const body = failure[database.engine][kind];
  const statements =
    database.engine === 'sqlite'
      ? [`create trigger trouble before insert on idempotency_responses begin ${body} end`]
      : [
          `create or replace function trouble() returns trigger language plpgsql as $$ begin ${body} return new; end $$`,
          'create trigger trouble before insert on idempotency_responses for each row execute function trouble()',
        ];
  for (const statement of statements) await database.write((tx) => sql.raw(statement).execute(tx));
}

async function stopFailing(database: Database): Promise<void> {
  const isSqlite = database.engine === 'sqlite';
  // A PostgreSQL backend does not notice a closed connection while it sleeps.
  const sleeping = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  if (!isSqlite) await database.write((tx) => sleeping.execute(tx));
  const drop = isSqlite ? 'drop trigger trouble' : 'drop trigger trouble on idempotency_responses';
  await database.write((tx) => sql.raw(drop).execute(tx));
}

describeOnEveryEngine('A merchant’s refund', (engine) => {
  let database: Database;
  let databaseUrl: string;
  let service: ReachableService;
  let merchant: CreatedMerchant;
  let id: string;
  beforeAll(async () => {
    await buildService();
    const given = await createDatabaseUrl(engine);
    database = openDatabase(given.url);
    await database.migrate();
    databaseUrl = given.url;
    onCleanup(async () => {
      await service.kill();
      await database.close();
      await given.remove();
    });
    const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    merchant = await createMerchant(database, 'sandbox', shop, systemClock.now());
    service = await startReachableProcess(databaseUrl);
  }, 60_000);
  beforeEach(async () => {
    const { carts, sandbox, transactions } = givenClient({}).fairterm;
    const cart = await carts.create({ options: { customTotal: 10_000 } });
    id = (await sandbox.checkout({ cartId: cart.id })).transactionId;
    await transactions.authorize(id);
    await transactions.settle(id);
  });

  /** Returns a client that finds the service wherever it runs. Its clock is fake, and `whileWaiting` runs during each wait. */
  function givenClient({ onLost, whileWaiting }: { onLost?: () => Promise<void>; whileWaiting?: (waits: number) => unknown }) {
    const statuses: (number | undefined)[] = [];
    let nowMs = 0;
    const runtime = {
      fetch: async (url: string, init: RequestInit) => {
        const response = await fetch(url.replace('http://localhost', service.url), init).catch(async (lost: unknown) => {
          statuses.push(undefined);
          await onLost?.();
          throw lost;
        });
        statuses.push(response.status);
        return response;
      },
      now: () => nowMs,
      wait: async (ms: number) => {
        nowMs += ms;
        await whileWaiting?.(statuses.length);
      },
    };
    const { apiKey, secret } = merchant;
    return { fairterm: new Fairterm({ serviceUrl: 'http://localhost', apiKey, secret, runtime }), statuses };
  }

  const refundedCents = async () => {
    const columns = database.query.selectFrom('transactions').select('refunded_cents');
    return (await columns.where('id', '=', id).executeTakeFirstOrThrow()).refunded_cents;
  };
  const endLeases = () => database.write((tx) => sql`update idempotency_keys set leased_until = ''`.execute(tx));
  const restart = async () => {
    await stopFailing(database);
    service = await startReachableProcess(databaseUrl);
  };
  const killOnceRefunded = async () => {
    await until(async () => (await refundedCents()) === 2_500);
    await service.kill();
  };

  it('happens once when the service is killed after it, and the client receives it as soon as the key is free', async () => {
    const { fairterm, statuses } = givenClient({
      onLost: restart,
      whileWaiting: (attempts) => attempts === 10 && endLeases(),
    });
    await startFailing(database, 'never ends');

    const [after] = await Promise.all([fairterm.transactions.refund(id, { amount: 2_500 }), killOnceRefunded()]);

    expect(after.adjustedTotal).toBe(7_500);
    expect(statuses).toEqual([undefined, ...Array<number>(9).fill(409), 200]);
    expect(await refundedCents()).toBe(2_500);
  });

  it('happens once when the key is not released in time and the request is retried later with the key of the error', async () => {
    const { fairterm } = givenClient({ onLost: restart });
    await startFailing(database, 'never ends');

    const refund = fairterm.transactions.refund(id, { amount: 2_500 }).catch((thrown: unknown) => thrown as UnknownOutcomeError);
    const [error] = await Promise.all([refund, killOnceRefunded()]);

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ status: 409, cause: { code: 'idempotency-key-in-use' } });
    await endLeases();
    const { idempotencyKey } = error as UnknownOutcomeError;
    const after = await fairterm.transactions.refund(id, { amount: 2_500 }, { idempotencyKey });
    expect(after.adjustedTotal).toBe(7_500);
    expect(await refundedCents()).toBe(2_500);
  });

  it('happens once when the service fails temporarily after it', async () => {
    const { fairterm, statuses } = givenClient({
      whileWaiting: (attempts) => attempts === 2 && stopFailing(database),
    });
    await startFailing(database, 'fails');

    const after = await fairterm.transactions.refund(id, { amount: 2_500 });

    expect(after.adjustedTotal).toBe(7_500);
    expect(statuses).toEqual([500, 500, 200]);
    expect(await refundedCents()).toBe(2_500);
  });

  it('happens once when the failure persists and the request is retried later with the key of the error', async () => {
    const { fairterm, statuses } = givenClient({});
    await startFailing(database, 'fails');

    const refund = fairterm.transactions.refund(id, { amount: 2_500 });
    const error = await refund.catch((thrown: unknown) => thrown as UnknownOutcomeError);
    await stopFailing(database);

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    const cause = { name: 'FairtermError', description: 'Something went wrong on our side.' };
    expect(error).toMatchObject({ status: 500, attempts: 4, cause });
    expect(statuses).toEqual([500, 500, 500, 500]);
    expect(await refundedCents()).toBe(2_500);
    const { idempotencyKey } = error as UnknownOutcomeError;
    const after = await fairterm.transactions.refund(id, { amount: 2_500 }, { idempotencyKey });
    expect(after.adjustedTotal).toBe(7_500);
    expect(await refundedCents()).toBe(2_500);
  });
});
