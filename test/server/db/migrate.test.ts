import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { type Database } from '../../../server/db/database.ts';
import { createConnection } from '../../../server/db/engine.ts';
import { Sqlite } from '../../../server/db/driver.ts';
import {
  createMigrator,
  hasPendingMigrations,
  runMigrations,
  migrations,
  requireKnownMigrations,
} from '../../../server/db/migrate.ts';
import type { Schema } from '../../../server/db/schema.ts';
import { ImmediateSqliteDialect } from '../../../server/db/sqlite-dialect.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { buildProject, startProcess } from '../../support/process.ts';
import { describeOnEveryEngine, type Engine, createDatabaseUrl, openTestDatabase } from '../../support/databases.ts';
import { testKeys } from '../../support/data-keys.ts';
import { openPool } from '../../support/postgres.ts';

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

  it('upgrades a database of an earlier release without losing rows', async () => {
    const url = await createUrl();
    const earlier = open(url);
    await earlier.migrate();
    await earlier.write((tx) =>
      tx.insertInto('tenants').values({ id: 't', name: 'Acme', createdAt: '2026-11-21T09:30:00.000000Z' }).execute(),
    );
    const kysely = connect(engine, url);
    onCleanup(() => kysely.destroy());
    const nextRelease = createMigrator(kysely, createConnection(engine, testKeys()), {
      ...migrations,
      '9999-region': async (next) => {
        await next.schema
          .alterTable('tenants')
          .addColumn('region', 'text', (column) => column.notNull().defaultTo('us'))
          .execute();
      },
    });

    expect(await hasPendingMigrations(nextRelease)).toBe(true);
    await runMigrations(nextRelease);

    expect(await hasPendingMigrations(nextRelease)).toBe(false);
    expect(await kysely.selectFrom('tenants').selectAll().execute()).toEqual([
      { id: 't', name: 'Acme', createdAt: '2026-11-21T09:30:00.000000Z', region: 'us' },
    ]);
    await expect(requireKnownMigrations(earlier.query)).rejects.toThrow('one of a later release (9999-region)');
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

/** Opens a connection without the checks of `openDatabase`, as a later release would. */
function connect(engine: Engine, url: string): Kysely<Schema> {
  const dialect =
    engine === 'sqlite'
      ? new ImmediateSqliteDialect({ database: new Sqlite(url.slice('sqlite:'.length)), requireSameFile: () => undefined })
      : new PostgresDialect({ pool: openPool({ connectionString: url }) });
  return new Kysely({ dialect, plugins: [new CamelCasePlugin()] });
}

async function migrationsOf(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.query);
  return rows.map(({ name }) => name);
}

/** Returns the columns of every table. */
async function schemaOf(database: Database): Promise<Record<string, string[]>> {
  const tables = await database.query.introspection.getTables();
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}
