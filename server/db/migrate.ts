import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, sql } from 'kysely';
import * as initial from './migrations/0001-tables.ts';
import type { Query } from './database.ts';
import type { Connection } from './engine.ts';
import type { Schema } from './schema.ts';

type Migrations = Record<string, (database: Kysely<unknown>, connection: Connection) => Promise<void>>;

const FIRST = '0001-tables';

/** All migrations in order. A released migration is never edited: add the next one below it. */
export const migrations: Migrations = {
  [FIRST]: initial.up,
};

export function createMigrator(database: Kysely<Schema>, connection: Connection, provided = migrations): Migrator {
  const entries = Object.entries(provided).map(([name, up]): [string, Migration] => [name, { up: (tx) => up(tx, connection) }]);
  // Migrations contain the names of columns as they are in the database.
  return new Migrator({ db: database.withoutPlugins(), provider: { getMigrations: async () => Object.fromEntries(entries) } });
}

/** Runs pending migrations in order. */
export async function runMigrations(migrator: Migrator): Promise<void> {
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

export async function hasPendingMigrations(migrator: Migrator): Promise<boolean> {
  const states = await migrator.getMigrations();
  return states.some(({ executedAt }) => executedAt === undefined);
}

/** @throws Error - the database was migrated by a later release, or by a version that precedes the first release. */
export async function requireKnownMigrations(query: Query): Promise<void> {
  const tables = await query.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name desc`.execute(
    query,
  );
  const names = rows.map(({ name }) => name);
  if (names.length > 0 && !names.includes(FIRST)) {
    throw new Error(
      'DATABASE_URL: expected a database of this release or an earlier one, but received one from before the first release, which cannot be converted; create a new database',
    );
  }
  const unknown = names.find((name) => !Object.hasOwn(migrations, name));
  if (unknown === undefined) return;
  throw new Error(
    `DATABASE_URL: expected a database of this release or an earlier one, but received one of a later release (${unknown})`,
  );
}
