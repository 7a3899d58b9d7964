import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, sql } from 'kysely';
import * as initial from './migrations/0001-tables.ts';
import type { Query } from './database.ts';
import type { Connection } from './engine.ts';
import type { Schema } from './schema.ts';

type Migrations = Record<string, (database: Kysely<unknown>, connection: Connection) => Promise<void>>;

const FIRST = '0001-tables';

/**
 * All migrations in order. A released migration is never edited: add the next one below it. A migration is safe while the previous release
 * serves (decisions/0078). The name of one after which earlier releases cannot serve ends with the first migration of those that can:
 * `0004-drop-region-after-0003`.
 */
export const migrations: Migrations = {
  [FIRST]: initial.up,
};

export function createMigrator(database: Kysely<Schema>, connection: Connection, provided = migrations): Migrator {
  const entries = Object.entries(provided).map(([name, up]): [string, Migration] => [name, { up: (tx) => up(tx, connection) }]);
  // Migrations contain the names of columns as they are in the database.
  return new Migrator({ db: database.withoutPlugins(), provider: { getMigrations: async () => Object.fromEntries(entries) } });
}

/** Runs pending migrations in order, and returns their names. */
export async function runMigrations(migrator: Migrator): Promise<string[]> {
  // Kysely rejects a database that a later release has migrated, in which nothing is pending.
  if ((await pendingMigrations(migrator)).length === 0) return [];
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** Returns the names of the migrations that have not run yet, in order. */
export async function pendingMigrations(migrator: Migrator): Promise<string[]> {
  const states = await migrator.getMigrations();
  return states.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** Returns true if this release can serve the database: no migration is pending, and none of a later release prevents it. */
export async function isServable(migrator: Migrator, query: Query): Promise<boolean> {
  return (await pendingMigrations(migrator)).length === 0 && (await executedMigrations(query)).every(isCompatible);
}

/** Returns the names of the migrations that have run, the latest first. */
async function executedMigrations(query: Query): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name desc`.execute(
    query,
  );
  return rows.map(({ name }) => name);
}

/** Returns true if releases that serve before these migrations cannot serve after one of them. */
export function endsEarlierReleases(name: string, pending: readonly string[]): boolean {
  const first = requiredMigration(name);
  return first !== undefined && pending.some((other) => other.startsWith(`${first}-`));
}

/** Returns the number of the migration that a release must have to serve after this one; undefined if every release can. */
function requiredMigration(name: string): string | undefined {
  return /-after-(\d{4})$/.exec(name)?.[1];
}

/** Returns true if this release can serve after a migration. */
function isCompatible(name: string): boolean {
  const first = requiredMigration(name);
  const known = Object.keys(migrations);
  return first === undefined || known.includes(name) || known.some((candidate) => candidate.startsWith(`${first}-`));
}

/**
 * Requires a database that this release can serve once pending migrations have run. That of a later release is one, so that an upgrade can
 * be rolled back.
 *
 * @throws Error - a migration of a later release prevents it, or the database is from before the first release.
 */
export async function requireCompatibleMigrations(query: Query): Promise<void> {
  const tables = await query.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const names = await executedMigrations(query);
  if (names.length > 0 && !names.includes(FIRST)) {
    throw new Error(
      'DATABASE_URL: expected a database of this release or an earlier one, but received one from before the first release, which cannot be converted; create a new database',
    );
  }
  const incompatible = names.find((name) => !isCompatible(name));
  if (incompatible === undefined) return;
  throw new Error(
    `DATABASE_URL: expected a database that this release can serve, but received one of a later release (${incompatible}); install that release, or restore a backup from before its migration`,
  );
}
