import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { Sqlite } from '../../../server/db/driver.ts';
import {
  createMigrator,
  hasPendingMigrations,
  migrateToLatest,
  migrations,
  requireKnownMigrations,
} from '../../../server/db/migrate.ts';
import type { Schema } from '../../../server/db/schema.ts';
import { ImmediateSqliteDialect } from '../../../server/db/sqlite-dialect.ts';
import { buildService, startProcess } from '../../support/process.ts';
import { describeOnEveryEngine, type Engine, createDatabaseUrl } from '../../support/databases.ts';

describeOnEveryEngine('Migrating the database', (engine) => {
  const leftovers: (() => Promise<void>)[] = [];
  beforeAll(buildService);
  afterAll(async () => {
    for (const leave of leftovers.toReversed()) await leave();
  });

  const givenUrl = async () => {
    const { url, remove } = await createDatabaseUrl(engine);
    leftovers.push(remove);
    return url;
  };
  const open = (url: string) => {
    const database = openDatabase(url);
    leftovers.push(() => database.close());
    return database;
  };

  it('creates the current schema in an empty database, once', async () => {
    const database = open(await givenUrl());

    expect(await database.isMigrated()).toBe(false);
    await database.migrate();
    expect(await database.isMigrated()).toBe(true);
    await database.migrate();

    expect(await schemaOf(database)).toMatchObject({ outbox: expect.arrayContaining(['due_at']), carts: expect.anything() });
  });

  it('is visible to a connection that was open before', async () => {
    const url = await givenUrl();
    const [before, other] = [open(url), open(url)];

    await other.migrate();

    expect(await before.isMigrated()).toBe(true);
  });

  it('runs once when two connections of a process start it at the same moment', async () => {
    const url = await givenUrl();
    const databases = [open(url), open(url)];

    await Promise.all(databases.map((database) => database.migrate()));

    expect(await migrationsOf(databases[0]!)).toEqual([...new Set(await migrationsOf(databases[0]!))]);
    expect(await schemaOf(databases[0]!)).toEqual(await freshSchema());
  });

  it('runs once when four processes start it at the same moment, five times in a row', async () => {
    const urls = await Promise.all(Array.from({ length: 5 }, givenUrl));

    // All processes that waited for a migration continue to the next one at the same moment.
    const processes = Array.from({ length: 4 }, () => startProcess('test/server/db/process.mjs', ['migrate', ...urls]));

    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const expected = await freshSchema();
    for (const url of urls) expect(await schemaOf(open(url))).toEqual(expected);
  }, 60_000);

  it('upgrades a database of an earlier release without losing rows', async () => {
    const url = await givenUrl();
    const earlier = open(url);
    await earlier.migrate();
    await earlier.write((tx) => tx.insertInto('tenants').values({ id: 't', name: 'Acme', created_at: '2026' }).execute());
    const kysely = connect(engine, url);
    leftovers.push(() => kysely.destroy());
    const nextRelease = createMigrator(kysely, engine, {
      ...migrations,
      '0002-region': async (next) => {
        await next.schema
          .alterTable('tenants')
          .addColumn('region', 'text', (column) => column.notNull().defaultTo('us'))
          .execute();
      },
    });

    expect(await hasPendingMigrations(nextRelease)).toBe(true);
    await migrateToLatest(nextRelease);

    expect(await hasPendingMigrations(nextRelease)).toBe(false);
    expect(await kysely.selectFrom('tenants').selectAll().execute()).toEqual([
      { id: 't', name: 'Acme', created_at: '2026', region: 'us' },
    ]);
    await expect(requireKnownMigrations(earlier.query)).rejects.toThrow('one of a later release (0002-region)');
  });

  it('leaves the tables unchanged when a migration fails', async () => {
    const url = await givenUrl();
    await open(url).migrate();
    const kysely = connect(engine, url);
    leftovers.push(() => kysely.destroy());
    const failing = createMigrator(kysely, engine, {
      ...migrations,
      '0002-fails': async (next) => {
        await next.schema.alterTable('tenants').addColumn('region', 'text').execute();
        throw new Error('disk full');
      },
    });

    await expect(migrateToLatest(failing)).rejects.toThrow('disk full');

    expect((await schemaOf(open(url)))['tenants']).toEqual(['id', 'name', 'created_at']);
  });

  async function freshSchema() {
    const database = open(await givenUrl());
    await database.migrate();
    return schemaOf(database);
  }
});

/** A connection without the service around it, as a later release would have. */
function connect(engine: Engine, url: string): Kysely<Schema> {
  const dialect =
    engine === 'sqlite'
      ? new ImmediateSqliteDialect({ database: new Sqlite(url.slice('sqlite:'.length)), requireInPlace: () => undefined })
      : new PostgresDialect({ pool: new Pool({ connectionString: url }) });
  return new Kysely({ dialect });
}

async function migrationsOf(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.query);
  return rows.map(({ name }) => name);
}

/** Every table with its columns. */
async function schemaOf(database: Database): Promise<Record<string, string[]>> {
  const tables = await database.query.introspection.getTables();
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}
