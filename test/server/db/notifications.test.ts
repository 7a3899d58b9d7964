/** A database of the release before, with merchants and callbacks in it, brought up to date. */
import { Sqlite } from '../../../server/db/driver.ts';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { createMigrator } from '../../../server/db/migrate.ts';
import { liveCallbackSecrets } from '../../../server/merchants/store.ts';
import { claimDue } from '../../../server/notifications/outbox.ts';
import { deliveriesOf, stateOf } from '../../../server/notifications/store.ts';
import { atTheEnd } from '../../support/cleanup.ts';
import { describeOnEveryEngine, type Engine, givenDatabaseUrl } from '../../support/engines.ts';

const at = '2026-11-21T09:30:00.000000Z';

/** A connection of our own, since the service's always wants the newest tables. */
function connect(engine: Engine, url: string): Kysely<any> {
  return new Kysely<any>({
    dialect:
      engine === 'sqlite'
        ? new SqliteDialect({ database: new Sqlite(url.slice('sqlite:'.length)) })
        : new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  });
}

describeOnEveryEngine('Merchants and callbacks of the release before', (engine) => {
  let database: Database;
  beforeAll(async () => {
    const { url, remove } = await givenDatabaseUrl(engine);
    const before = connect(engine, url);
    await createMigrator(before, engine).migrateTo('0003-transaction-journal');
    const insert = (table: string, row: object) => before.insertInto(table).values(row).execute();
    await insert('tenants', { id: 't', name: 'Acme', created_at: at });
    for (const id of ['m1', 'm2']) {
      const merchant = { id, tenant_id: 't', name: 'Acme', store_url: 'https://shop.example/', default_program_id: 'p' };
      await insert('merchants', { ...merchant, created_at: at });
    }
    const callback = { merchant_id: 'm1', url: 'http://a/callback', endpoint: 'http://a', body: '{}', created_at: at };
    await insert('outbox', { ...callback, id: 'a', attempts: 3, due_at: at, delivered_at: null, last_failure: 'Refused' });
    await insert('outbox', { ...callback, id: 'b', attempts: 1, due_at: null, delivered_at: at, last_failure: '' });
    await insert('outbox', { ...callback, id: 'c', attempts: 10, due_at: null, delivered_at: null, last_failure: 'Refused' });
    await before.destroy();

    database = openDatabase(url);
    await database.migrate();
    atTheEnd(async () => {
      await database.close();
      await remove();
    });
  });

  it('have a secret each, of their own', async () => {
    const secrets = (await Promise.all(['m1', 'm2'].map((id) => liveCallbackSecrets(database.query, id)))).flat();

    expect(secrets.map(({ merchant_id }) => merchant_id)).toEqual(['m1', 'm2']);
    for (const { secret } of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(2);
  });

  it('are what they were, and go on where they were', async () => {
    const states = (await deliveriesOf(database.query, { limit: 10 })).map((row) => [row.id, row.channel, stateOf(row)]);
    expect(states).toEqual([
      ['c', 'callback', 'failed'],
      ['b', 'callback', 'delivered'],
      ['a', 'callback', 'pending'],
    ]);

    const limits = { limit: 10, limitPerEndpoint: 10, limitPerMerchant: 10, underWay: new Map() };
    const claimed = await claimDue(database, { channels: ['callback'], ...limits }, at, '2026-11-21T09:31:00.000000Z');
    expect(claimed).toMatchObject([{ id: 'a', attempts: 4, replayed_after: 0, began_at: at }]);
  });
});
