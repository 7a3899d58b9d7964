/** Creates databases on both engines. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely';
import { describe, inject } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { Sqlite } from '../../server/db/driver.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import type { Schema } from '../../server/db/schema.ts';
import { writingDialect } from '../../server/db/sqlite-dialect.ts';
import { associatedDataOf, SEALED_TABLES, type SealedTable } from '../../server/db/sealed.ts';
import { createPostgresDatabase, openPool, runOnPostgres } from './postgres.ts';
import { onCleanup } from './cleanup.ts';
import { TEST_DATA_KEYS, testKeys } from './data-keys.ts';

export type Engine = Database['engine'];

const { TEST_ENGINE } = process.env;

/**
 * The engine of tests whose subject is not the database. `npm run test:nightly -- postgres` runs all of them again on PostgreSQL.
 */
export const defaultEngine: Engine = TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

/**
 * Declares tests that run on both engines, such as tests of stores, locks, idempotency, the outbox and migrations. With
 * `TEST_ENGINE=sqlite`, which `npm run check -- FOLDER` sets, they run on SQLite only.
 */
export function describeOnEveryEngine(title: string, examples: (engine: Engine) => void | Promise<void>): void {
  const engines: Engine[] = TEST_ENGINE === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres'];
  describe.each(engines)(`${title} (%s)`, examples);
}

/** Creates an empty database for the surrounding tests, and returns its URL. */
export async function createDatabaseUrl(engine = defaultEngine): Promise<string> {
  return engine === 'sqlite' ? createFile() : createOnServer();
}

/** Creates a database with all migrations applied for the surrounding tests, and returns its URL. */
export async function createMigratedDatabaseUrl(engine = defaultEngine): Promise<string> {
  return engine === 'sqlite' ? createFile('template.db') : createOnServer(inject('postgresTemplate'));
}

async function createOnServer(template?: string): Promise<string> {
  const { url, drop } = await createPostgresDatabase(inject('postgresUrl'), template);
  onCleanup(drop);
  return url;
}

/** @param template - File name of the database to copy. Undefined for an empty database, which is also used outside of test runs. */
function createFile(template?: string): string {
  const parent: string | undefined = inject('sqliteFolder');
  const folder = mkdtempSync(join(parent ?? tmpdir(), 'fairterm-test-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'test.db');
  if (parent && template) copyFileSync(join(parent, template), file);
  // A sandbox without configured keys reads them from here.
  writeFileSync(`${file}.keys`, TEST_DATA_KEYS, { mode: 0o600 });
  return `sqlite:${file}`;
}

/**
 * Changes a database of PostgreSQL, and ends its connections, for example with `allow_connections false` or
 * `set default_transaction_read_only = on`.
 */
export async function alterDatabase(url: string, change: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await runOnPostgres(inject('postgresUrl'), `alter database ${name} ${change}`);
  await runOnPostgres(
    inject('postgresUrl'),
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
  );
}

/** Opens a database for the surrounding tests. */
export function openTestDatabase(url: string): Database {
  const database = openDatabase(url, testKeys);
  onCleanup(() => database.close());
  return database;
}

/** Creates a migrated database for the surrounding tests. */
export async function createDatabase(engine = defaultEngine): Promise<Database> {
  const database = openTestDatabase(await createMigratedDatabaseUrl(engine));
  await database.migrate();
  return database;
}

/**
 * Returns every row of every table as text, with the sealed values opened. Tests search it for data that must not be stored.
 *
 * @param isSealed - If true, sealed values are not opened: what a reader of the database sees without its keys.
 */
export async function everythingStored({ query, engine }: Database, { isSealed = false } = {}): Promise<string> {
  const names =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
  const { rows: tables } = await names.execute(query);
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<Record<string, string>>`select * from ${sql.table(name)}`.execute(query);
      return [name, isSealed || !Object.hasOwn(SEALED_TABLES, name) ? rows : rows.map((row) => opened(name as SealedTable, row))];
    }),
  );
  return JSON.stringify(Object.fromEntries(contents));
}

function opened(table: SealedTable, { sealed = '', ...row }: Record<string, string>): unknown {
  return { ...row, sealed: sealed === '' ? '' : testKeys().open(sealed, associatedDataOf(table, row as never)) };
}

/** Opens a connection without the checks of `openDatabase`, as a later release would. */
export function connect(engine: Engine, url: string): Kysely<Schema> {
  const dialect =
    engine === 'sqlite'
      ? writingDialect({ database: new Sqlite(url.slice('sqlite:'.length)), requireSameFile: () => undefined })
      : new PostgresDialect({ pool: openPool({ connectionString: url }) });
  return new Kysely({ dialect, plugins: [new CamelCasePlugin()] });
}

/** Returns the rows of every table but those of the lock of migrations, on SQLite in the order in which the tables were created. */
export async function rowsOf(database: Database): Promise<Record<string, Record<string, unknown>[]>> {
  const inOrder = sql<{ name: string }>`select name from sqlite_master where type = 'table' order by rowid`;
  const tables =
    database.engine === 'sqlite'
      ? (await inOrder.execute(database.query)).rows
      : await database.query.introspection.getTables({ withInternalKyselyTables: true });
  const names = tables.map(({ name }) => name).filter((name) => !/migration_lock|^sqlite_/.test(name));
  const rows = names.map(async (name) => {
    const { rows: stored } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(database.query);
    return [name, stored];
  });
  return Object.fromEntries(await Promise.all(rows));
}
