/**
 * A merchant's refund when the service crashes, or fails, after the refund and before it stores the response for the idempotency
 * key. The client's retries always result in exactly one refund.
 */
import { Fairterm, UnknownOutcomeError } from '@fairterm/client';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { type CreatedMerchant, createMerchant } from '../../server/merchants/merchants.ts';
import { systemClock } from '../../server/base/time.ts';
import { buildProject, type ReachableService, startReachableProcess } from '../support/process.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createDatabaseUrl, describeOnEveryEngine, type Engine } from '../support/databases.ts';
import { until } from '../support/time.ts';
import { testKeys } from '../support/data-keys.ts';

/** SQL that runs when a response is stored: it blocks for longer than any test, or fails. */
const triggerBodies: Record<Engine, Record<'blocks' | 'fails', string>> = {
  sqlite: {
    blocks: 'select count(*) from (with recursive c(n) as (select 1 union all select n + 1 from c) select n from c);',
    fails: "select raise(abort, 'disk full');",
  },
  postgres: { blocks: 'perform pg_sleep(600);', fails: "raise exception 'disk full';" },
};

async function startFailing(database: Database, kind: 'blocks' | 'fails'): Promise<void> {
  const body = triggerBodies[database.engine][kind];
  const statements =
    database.engine === 'sqlite'
      ? [`create trigger fail_responses before insert on idempotency_responses begin ${body} end`]
      : [
          `create or replace function fail_responses() returns trigger language plpgsql as $$ begin ${body} return new; end $$`,
          'create trigger fail_responses before insert on idempotency_responses for each row execute function fail_responses()',
        ];
  for (const statement of statements) await database.write((tx) => sql.raw(statement).execute(tx));
}

const sleeping = sql`from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;

/** Returns true if a response is being stored; on SQLite always, because a killed process leaves no lock there. */
async function isBlocked(database: Database): Promise<boolean> {
  if (database.engine === 'sqlite') return true;
  return (await sql`select pid ${sleeping}`.execute(database.query)).rows.length > 0;
}

async function stopFailing(database: Database): Promise<void> {
  const isSqlite = database.engine === 'sqlite';
  // A PostgreSQL backend does not notice a closed connection while it sleeps.
  if (!isSqlite) await database.write((tx) => sql`select pg_terminate_backend(pid) ${sleeping}`.execute(tx));
  const drop = isSqlite ? 'drop trigger fail_responses' : 'drop trigger fail_responses on idempotency_responses';
  await database.write((tx) => sql.raw(drop).execute(tx));
}

describeOnEveryEngine('A refund by the client', (engine) => {
  let database: Database;
  let databaseUrl: string;
  let service: ReachableService;
  let merchant: CreatedMerchant;
  let id: string;
  beforeAll(async () => {
    await buildProject();
    databaseUrl = await createDatabaseUrl(engine);
    database = openDatabase(databaseUrl, testKeys);
    await database.migrate();
    onCleanup(async () => {
      await service.kill();
      await database.close();
    });
    const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    merchant = await createMerchant(database, 'sandbox', shop, systemClock.now());
    service = await startReachableProcess(databaseUrl);
  }, 60_000);
  beforeEach(async () => {
    const { carts, sandbox, transactions } = createClient({}).fairterm;
    const cart = await carts.create({ options: { customTotal: 10_000 } });
    id = (await sandbox.checkout({ cartId: cart.id })).transactionId;
    await transactions.authorize(id);
    await transactions.settle(id);
  });

  /** Returns a client that sends its requests to the current process. Its clock is fake, and `whileWaiting` runs during each wait. */
  function createClient({ onLost, whileWaiting }: { onLost?: () => Promise<void>; whileWaiting?: (waits: number) => unknown }) {
    const statuses: (number | undefined)[] = [];
    let nowMs = 0;
    const runtime = {
      fetch: async (url: string, init: RequestInit) => {
        const response = await fetch(url.replace('http://localhost', service.url), init).catch(async (thrown: unknown) => {
          statuses.push(undefined);
          await onLost?.();
          throw thrown;
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
    const columns = database.query.selectFrom('transactions').select('refundedCents');
    return (await columns.where('id', '=', id).executeTakeFirstOrThrow()).refundedCents;
  };
  const expireLeases = () => database.write((tx) => sql`update idempotency_keys set leased_until = ''`.execute(tx));
  const restart = async () => {
    await stopFailing(database);
    service = await startReachableProcess(databaseUrl);
  };
  const killAfterRefund = async () => {
    await until(async () => (await refundedCents()) === 2_500 && (await isBlocked(database)));
    await service.kill();
  };

  it('is made once if the service is killed after it, and the retry succeeds as soon as the lease expires', async () => {
    const { fairterm, statuses } = createClient({
      onLost: restart,
      whileWaiting: (attempts) => attempts === 10 && expireLeases(),
    });
    await startFailing(database, 'blocks');

    const [refunded] = await Promise.all([fairterm.transactions.refund(id, { amount: 2_500 }), killAfterRefund()]);

    expect(refunded.adjustedTotal).toBe(7_500);
    expect(statuses).toEqual([undefined, ...Array<number>(9).fill(409), 200]);
    expect(await refundedCents()).toBe(2_500);
  });

  it('is made once if the lease outlasts the retries, and a later call uses the key of the error', async () => {
    const { fairterm } = createClient({ onLost: restart });
    await startFailing(database, 'blocks');

    const refund = fairterm.transactions.refund(id, { amount: 2_500 }).catch((thrown: unknown) => thrown as UnknownOutcomeError);
    const [error] = await Promise.all([refund, killAfterRefund()]);

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ status: 409, cause: { code: 'idempotency-key-in-use' } });
    await expireLeases();
    const { idempotencyKey } = error as UnknownOutcomeError;
    const refunded = await fairterm.transactions.refund(id, { amount: 2_500 }, { idempotencyKey });
    expect(refunded.adjustedTotal).toBe(7_500);
    expect(await refundedCents()).toBe(2_500);
  });

  it('is made once if storing the response fails temporarily', async () => {
    const { fairterm, statuses } = createClient({
      whileWaiting: (attempts) => attempts === 2 && stopFailing(database),
    });
    await startFailing(database, 'fails');

    const refunded = await fairterm.transactions.refund(id, { amount: 2_500 });

    expect(refunded.adjustedTotal).toBe(7_500);
    expect(statuses).toEqual([500, 500, 200]);
    expect(await refundedCents()).toBe(2_500);
  });

  it('is made once if storing the response fails until a later call with the key of the error', async () => {
    const { fairterm, statuses } = createClient({});
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
    const refunded = await fairterm.transactions.refund(id, { amount: 2_500 }, { idempotencyKey });
    expect(refunded.adjustedTotal).toBe(7_500);
    expect(await refundedCents()).toBe(2_500);
  });
});
