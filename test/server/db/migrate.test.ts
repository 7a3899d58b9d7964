import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { type Database } from '../../../server/db/database.ts';
import { createConnection } from '../../../server/db/engine.ts';
import {
  createMigrator,
  endsEarlierReleases,
  migrations,
  requireCompatibleMigrations,
  runMigrations,
} from '../../../server/db/migrate.ts';
import { migrateInMode } from '../../../server/db/mode.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { buildProject, startProcess } from '../../support/process.ts';
import {
  connect,
  createDatabaseUrl,
  createMigratedDatabaseUrl,
  describeOnEveryEngine,
  openTestDatabase,
  rowsOf,
} from '../../support/databases.ts';
import { testKeys } from '../../support/data-keys.ts';
import { createBuyer } from '../../support/purchases.ts';
import { fairterm } from '../operations/commands/fairterm.ts';

describeOnEveryEngine('Migrating the database', (engine) => {
  beforeAll(buildProject);

  const createUrl = async () => {
    const url = await createDatabaseUrl(engine);
    return url;
  };
  const open = (url: string) => {
    const database = openTestDatabase(url);
    return database;
  };

  it('creates the schema in an empty database, and can be repeated', async () => {
    const database = open(await createUrl());

    expect(await database.isMigrated()).toBe(false);
    await database.migrate();
    expect(await database.isMigrated()).toBe(true);
    await database.migrate();

    expect(await schemaOf(database)).toMatchObject({ outbox: expect.arrayContaining(['due_at']), carts: expect.anything() });
  });

  it('is detected over a connection that was opened before', async () => {
    const url = await createUrl();
    const first = open(url);
    const second = open(url);

    await second.migrate();

    expect(await first.isMigrated()).toBe(true);
  });

  it('runs once if two connections of a process start it concurrently', async () => {
    const url = await createUrl();
    const databases = [open(url), open(url)];

    await Promise.all(databases.map((database) => database.migrate()));

    expect(await migrationsOf(databases[0]!)).toEqual([...new Set(await migrationsOf(databases[0]!))]);
    expect(await schemaOf(databases[0]!)).toEqual(await currentSchema());
  });

  it('runs once if four processes start it concurrently', async () => {
    const urls = await Promise.all(Array.from({ length: 5 }, createUrl));

    // Five databases per process: all processes that waited for one migration start the next one simultaneously.
    const processes = Array.from({ length: 4 }, () => startProcess('test/server/db/process.mjs', ['migrate', ...urls]));

    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const expected = await currentSchema();
    for (const url of urls) expect(await schemaOf(open(url))).toEqual(expected);
  }, 60_000);

  it('runs the migration of a next release once on a filled database, without losing rows, if two processes start it concurrently', async () => {
    const url = await createMigratedDatabaseUrl(engine);
    const database = open(url);
    const { createPurchase } = await createBuyer(database, '2026-11-21T09:30:00.000000Z');
    for (let count = 0; count < 20; count++) await createPurchase({ orderRef: `ORDER-${count}` });
    const before = await sortedRowsOf(database);

    const processes = Array.from({ length: 2 }, () => startProcess('test/server/db/process.mjs', ['migrate-next', url]));

    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0]);
    expect(await migrationsOf(database)).toEqual([...Object.keys(migrations), '9999-region']);
    const after = await sortedRowsOf(database);
    const transactions = before['transactions']!.map((row) => ({ ...row, region: row['timeZone'] }));
    expect(after).toEqual({ ...before, transactions });
  });

  it('is listed by `migrate`, and before by `migrate --check`, which changes nothing', async () => {
    const url = await createUrl();
    const database = open(url);
    const run = (...args: string[]) => fairterm(['migrate', ...args], { databaseUrl: url });
    const names = Object.keys(migrations);

    expect(await run('--check')).toEqual({ code: 1, stdout: names.map((name) => `Pending: ${name}`), stderr: [] });
    expect(await schemaOf(database)).toEqual({});
    expect(await run()).toEqual({ code: 0, stdout: names.map((name) => `Migrated: ${name}`), stderr: [] });
    for (const args of [['--check'], []])
      expect(await run(...args)).toEqual({ code: 0, stdout: ['No migration was pending.'], stderr: [] });
  });

  it('leaves a database that a release serves after the migrations of a later one, unless their names exclude it', async () => {
    const url = await createMigratedDatabaseUrl(engine);
    const database = open(url);
    const migrateLater = (name: string) =>
      database.write(async (tx) => void (await sql`insert into kysely_migration values (${name}, '2999-01-01')`.execute(tx)));
    const restart = () => migrateInMode(open(url), 'sandbox');

    for (const name of ['9997-region', '9998-drop-name-after-0001']) await migrateLater(name);
    expect(await database.isMigrated()).toBe(true);
    expect(await restart()).toEqual([]);

    await migrateLater('9999-drop-time-zone-after-9997');
    expect(await database.isMigrated()).toBe(false);
    await expect(requireCompatibleMigrations(database.query)).rejects.toThrow(
      'of a later release (9999-drop-time-zone-after-9997)',
    );
    await expect(restart()).rejects.toThrow('of a later release (9999-drop-time-zone-after-9997)');
    expect(await fairterm(['audit'], { databaseUrl: url })).toMatchObject({ code: 2 });
  });

  it('refuses a database from before the first release, without changing it', async () => {
    const url = await createMigratedDatabaseUrl(engine);
    const database = open(url);
    await database.write(async (tx) => {
      await sql`update kysely_migration set name = '0001-initial'`.execute(tx);
      await sql`insert into kysely_migration values ('0002-bounded-queries', '2026-11-21')`.execute(tx);
    });
    const before = await sortedRowsOf(database);
    const refusal =
      'DATABASE_URL: expected a database of this release or an earlier one, but received one from before the first release, which cannot be converted; create a new database';

    await expect(migrateInMode(database, 'sandbox')).rejects.toThrow(refusal);
    for (const command of ['migrate', 'audit']) {
      expect(await fairterm([command], { databaseUrl: url })).toMatchObject({ stderr: [expect.stringContaining(refusal)] });
    }

    expect(await sortedRowsOf(database)).toEqual(before);
    expect(await migrationsOf(database)).toEqual(['0001-initial', '0002-bounded-queries']);
  });

  it('leaves the tables unchanged if a migration fails', async () => {
    const url = await createUrl();
    await open(url).migrate();
    const kysely = connect(engine, url);
    onCleanup(() => kysely.destroy());
    const failing = createMigrator(kysely, createConnection(engine, testKeys()), {
      ...migrations,
      '9999-fails': async (next) => {
        await next.schema.alterTable('tenants').addColumn('region', 'text').execute();
        throw new Error('disk full');
      },
    });

    await expect(runMigrations(failing)).rejects.toThrow('disk full');

    expect((await schemaOf(open(url)))['tenants']).toEqual(['id', 'name', 'created_at']);
  });

  async function currentSchema() {
    const database = open(await createUrl());
    await database.migrate();
    return schemaOf(database);
  }
});

it('A migration ends earlier releases if the one that they need is pending, too', () => {
  const pending = ['0003-region', '0004-drop-time-zone-after-0003', '0005-drop-name-after-0002'];
  expect(pending.map((name) => endsEarlierReleases(name, pending))).toEqual([false, true, false]);
});

async function migrationsOf(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.query);
  return rows.map(({ name }) => name);
}

/** Returns the columns of every table. */
async function schemaOf(database: Database): Promise<Record<string, string[]>> {
  const tables = await database.query.introspection.getTables();
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}

/** Returns the rows of all tables but those of migrations in one order, which updates can change. */
async function sortedRowsOf(database: Database): Promise<Awaited<ReturnType<typeof rowsOf>>> {
  const tables = Object.entries(await rowsOf(database)).filter(([name]) => !name.startsWith('kysely_'));
  const textOf = (row: object) => JSON.stringify(row);
  const sorted = tables.map(([name, rows]) => [name, rows.toSorted((one, other) => textOf(one).localeCompare(textOf(other)))]);
  return Object.fromEntries(sorted);
}
