import type { Database, Readable, Tx } from './database.ts';
import { requireDataKeys, saveActiveDataKey } from './data-keys.ts';
import { requireCompatibleMigrations } from './migrate.ts';
import type { Mode } from '../base/mode.ts';

/**
 * Runs pending migrations and requires the mode in which the database was first opened, so that test data and real data are never
 * mixed. Requires the data keys of an existing database.
 *
 * @returns The names of the migrations that ran.
 * @throws Error - the database is of the other mode, of an unknown version, or encrypted with other keys.
 */
export async function migrateInMode(database: Database, mode: Mode): Promise<string[]> {
  // Check an existing database before changing it.
  const tables = await database.query.introspection.getTables();
  if (tables.some(({ name }) => name === 'environment')) await requireMode(database, mode);
  const names = await database.migrate();
  requireEqual((await modeOf(database)) ?? (await storeMode(database, mode)), mode);
  await requireDataKeys(database);
  await saveActiveDataKey(database);
  return names;
}

/**
 * Requires the mode and the data keys without changing the database.
 *
 * @throws Error - the database is of the other mode, of an unknown version, or encrypted with other keys.
 */
export async function requireMode(database: Database, mode: Mode): Promise<void> {
  await requireCompatibleMigrations(database.query);
  requireEqual(await modeOf(database), mode);
  await requireDataKeys(database);
}

function requireEqual(stored: Mode | undefined, mode: Mode): void {
  if (stored !== undefined && stored !== mode) {
    throw new Error(`DATABASE_URL: expected the database of a ${mode} service, but received that of a ${stored} one`);
  }
}

/** Stores the public URL of the service, for commands that issue tokens. */
export async function savePublicUrl(database: Database, publicUrl: string): Promise<void> {
  if ((await savedPublicUrl(database)) === publicUrl) return;
  await database.write(async (tx) => {
    await tx.updateTable('environment').set({ publicUrl }).where('id', '=', 1).execute();
  });
}

/** Returns the public URL of the last service that was started on this database; undefined before the first start. */
export async function savedPublicUrl({ query }: Readable): Promise<string | undefined> {
  const row = await query.selectFrom('environment').select('publicUrl').executeTakeFirst();
  return row?.publicUrl ?? undefined;
}

async function modeOf({ query }: Pick<Database, 'query'>): Promise<Mode | undefined> {
  const row = await query.selectFrom('environment').select('mode').executeTakeFirst();
  return row?.mode;
}

/** Stores the mode unless another process has, and returns the one that is stored. */
function storeMode(database: Database, mode: Mode): Promise<Mode> {
  return database.write(async (tx) => {
    await tx
      .insertInto('environment')
      .values({ id: 1, mode, publicUrl: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await modeOf({ query: tx })) ?? mode;
  });
}

/**
 * Locks the single row of `environment` until the database transaction ends, for changes of data without an owner, such as signing
 * keys.
 */
export async function lockEnvironment(tx: Tx): Promise<void> {
  await tx.selectFrom('environment').select('id').forUpdate().execute();
}
