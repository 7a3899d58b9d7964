import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '../../../../server/db/database.ts';
import { type Instant, plusDays, plusMs, systemClock } from '../../../../server/base/time.ts';
import { newId } from '../../../../server/base/ids.ts';
import { addException } from '../../../../server/lending/exceptions/store.ts';
import { addCalls, newCall } from '../../../../server/lending/lenders/store.ts';
import { enqueueCallback } from '../../../../server/messages/outbox.ts';
import { readBacklog } from '../../../../server/operations/metrics/store.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../../support/databases.ts';
import { createBuyer } from '../../../support/purchases.ts';
import { fairterm } from '../commands/fairterm.ts';

const now: Instant = systemClock.now();
const clock = { now: () => now };

describeOnEveryEngine('fairterm status', (engine) => {
  /** A database with a purchase. */
  const createShop = async () => {
    const databaseUrl = await createMigratedDatabaseUrl(engine);
    const database = openTestDatabase(databaseUrl);
    const { merchantId, createPurchase } = await createBuyer(database, now);
    const applicationId = await createPurchase({ orderRef: 'ORDER-1' });
    const url = 'https://shop.example/callback';
    const callback = { id: newId(), merchantId, cartId: applicationId, url, createdAt: now, dueAt: now };
    const body = { transactionId: applicationId, orderRef: 'ORDER-1' };
    await database.write((tx) => enqueueCallback(tx, { ...callback, body }));
    await update(database, 'outbox', `due_at = null, delivered_at = '${now}'`);
    const status = async () => {
      const { code, stdout } = await fairterm(['status', '--json'], { databaseUrl, clock });
      return { code, ...JSON.parse(stdout[0]!) };
    };
    return { database, databaseUrl, merchantId, applicationId, status };
  };
  const update = (database: Database, table: string, set: string) =>
    database.write((tx) => sql.raw(`update ${table} set ${set}`).execute(tx));

  it('exits with 0 if all is well, and prints the same for people and as JSON', async () => {
    const { databaseUrl, status } = await createShop();
    expect(await status()).toMatchObject({
      code: 0,
      attention: [],
      mode: 'sandbox',
      pendingMigrations: [],
      state: {
        backlog: { deliveries: [], exceptions: [], failingWebhooks: [], failedCardOperations: 0 },
        lender: null,
        programs: { sold: 1, withheld: [] },
        settlements: { lastDay: null, isLate: false },
      },
    });
    const { code, stdout } = await fairterm(['status'], { databaseUrl, clock });
    expect([code, stdout[0]]).toEqual([0, 'All is well.']);
    expect(stdout).toContain('Programs sold               1');
  });

  it('exits with 1 for each state that needs attention, and names it', async () => {
    const { database, status, merchantId, applicationId } = await createShop();
    const ago = (ms: number) => plusMs(now, -ms);

    await update(database, 'outbox', `due_at = '${ago(400_000)}', delivered_at = null, created_at = '${ago(500_000)}'`);
    expect(await status()).toMatchObject({
      code: 1,
      attention: ['The job deliveries is late: its first work has been due for 6 minutes'],
    });
    await update(database, 'outbox', `due_at = null, delivered_at = '${now}'`);

    const waiting = { dueAt: plusDays(now, 1), deliveredAt: null, lastFailure: 'The request failed: ESOCKET' };
    const delivery = await database.query.selectFrom('outbox').selectAll().limit(1).executeTakeFirstOrThrow();
    const copies = [newId(), newId(), newId()].map((id) => ({ ...delivery, ...waiting, id, channel: 'email' as const }));
    await database.write((tx) => tx.insertInto('outbox').values(copies.slice(1)).execute());
    expect((await status()).attention).toEqual([]);
    await database.write((tx) => tx.insertInto('outbox').values(copies[0]!).execute());
    expect((await status()).attention).toEqual(['Deliveries by email fail: 3 of 3 were tried before']);
    await update(database, 'outbox', `due_at = null, delivered_at = '${now}', last_failure = ''`);

    const raised = { id: newId(), applicationId, merchantId, kind: 'undecided', raisedAt: now } as const;
    await database.write((tx) => addException(tx, raised));
    expect((await status()).attention).toEqual(['Exceptions of kind undecided to resolve: 1']);
    await update(database, 'exceptions', `closed_at = '${now}'`);

    const attempt = { method: 'POST', path: '/decisions', id: newId(), attempt: 1, durationMs: 80, statusCode: 200 } as const;
    const answered = newCall('sent', { ...attempt, startedAt: ago(2_000), failure: '' });
    const failed = newCall('sent', { ...attempt, startedAt: ago(1_000), failure: 'responded with 500' });
    await database.write((tx) => addCalls(tx, [answered, failed]));
    expect(await status()).toMatchObject({
      attention: ['The last request to the lender failed: responded with 500'],
      state: { lender: { lastAnswerAt: answered.startedAt, latencyMs: 80, failedSince: 1 } },
    });
    await update(database, 'lender_calls', `failure = ''`);

    const webhook = { id: newId(), merchantId, typesJson: '[]', createdAt: now, confirmedAt: now, disabledAt: null, sealed: '' };
    const insert = (failingSince: Instant) =>
      database.write((tx) =>
        tx
          .insertInto('webhooks')
          .values({ ...webhook, failingSince } as never)
          .execute(),
      );
    await insert(ago(4_000_000));
    expect((await status()).attention).toEqual(['Webhooks that have failed for an hour: 1']);
    await update(database, 'webhooks', `failing_since = '${ago(1_000_000)}'`);
    expect(await status()).toMatchObject({ code: 0, state: { backlog: { failingWebhooks: [{ id: webhook.id, merchantId }] } } });

    await update(database, 'outbox', `channel = 'card', due_at = null, delivered_at = null`);
    expect((await status()).attention).toEqual([expect.stringMatching(/^Card operations that failed and are not retried: \d+$/)]);
    await update(database, 'outbox', `created_at = '${plusDays(now, -15)}'`);
    expect((await status()).code).toBe(0);
  });

  it('prints no name, address or URL of a person or a shop', async () => {
    const { databaseUrl, database } = await createShop();
    await update(database, 'outbox', `due_at = '${now}', delivered_at = null`);
    const texts = [
      await fairterm(['status'], { databaseUrl, clock }),
      await fairterm(['status', '--json'], { databaseUrl, clock }),
    ];
    expect(JSON.stringify(texts)).not.toMatch(/@(?!127)|https?:|Lovelace|Acme|ORDER-1/);
  });

  it('names pending migrations, and exits with 1', async () => {
    const { database, databaseUrl } = await createShop();
    await database.write((tx) => sql`delete from kysely_migration where name = '0001-tables'`.execute(tx));
    const { code, stdout } = await fairterm(['status', '--json'], { databaseUrl, clock });
    expect([code, JSON.parse(stdout[0]!)]).toMatchObject([
      1,
      { attention: ['Migrations are pending: 0001-tables'], pendingMigrations: ['0001-tables'] },
    ]);
    expect(await database.isMigrated()).toBe(false);
  });

  it('counts at most 1,000 rows', async () => {
    const { database } = await createShop();
    const row = await database.query.selectFrom('outbox').selectAll().limit(1).executeTakeFirstOrThrow();
    const rows = Array.from({ length: 1_100 }, () => ({
      ...row,
      id: newId(),
      channel: 'email' as const,
      sequence: null,
      dueAt: now,
      deliveredAt: null,
    }));
    await database.write(async (tx) => {
      for (let start = 0; start < rows.length; start += 100) {
        await tx
          .insertInto('outbox')
          .values(rows.slice(start, start + 100))
          .execute();
      }
    });
    const { deliveries } = await readBacklog(database.query, now);
    expect(deliveries).toMatchObject([{ kind: 'email', count: 1_000 }]);
  });
});

it('fairterm status exits with 2 if the database cannot be read', async () => {
  for (const databaseUrl of ['sqlite:/missing/test.db', 'postgres://ada@127.0.0.1:1/missing']) {
    const { code, stdout, stderr } = await fairterm(['status'], { databaseUrl, clock });
    expect([code, stdout]).toEqual([2, []]);
    expect(stderr[0]).toMatch(/^fairterm status: the status cannot be read: /);
  }
});
