import type { Database, Readable, Tx } from './database.ts';
import { requireKnownMigrations } from './migrate.ts';
import type { Mode } from '../mode.ts';

/**
 * Brings a database up to date, and holds it to the mode it was first opened in, which it remembers: test purchases among real
 * ones, or a live key in a sandbox, could not be told apart any more.
 *
 * @throws Error - it was first opened in the other mode, or belongs to a later release.
 */
export async function migrateInMode(database: Database, mode: Mode): Promise<void> {
  // Before anything is changed, as far as there is something to look at.
  const tables = await database.query.introspection.getTables();
  if (tables.some(({ name }) => name === 'environment')) await requireMode(database, mode);
  await database.migrate();
  requireSame((await modeOf(database)) ?? (await remember(database, mode)), mode);
}

/** The same, without a change. @throws Error - as above. */
export async function requireMode(database: Database, mode: Mode): Promise<void> {
  await requireKnownMigrations(database.query);
  requireSame(await modeOf(database), mode);
}

function requireSame(remembered: Mode | undefined, mode: Mode): void {
  if (remembered !== undefined && remembered !== mode) {
    throw new Error(`DATABASE_URL: expected the database of a ${mode} service, but received that of a ${remembered} one`);
  }
}

/** Notes where the service that uses this database is reached, for commands that issue tokens in its name. */
export async function savePublicUrl(database: Database, publicUrl: string): Promise<void> {
  if ((await savedPublicUrl(database)) === publicUrl) return;
  await database.write(async (tx) => {
    await tx.updateTable('environment').set({ public_url: publicUrl }).where('id', '=', 1).execute();
  });
}

/** Where the service that was started last on this database is reached; undefined before the first start. */
export async function savedPublicUrl({ query }: Readable): Promise<string | undefined> {
  const row = await query.selectFrom('environment').select('public_url').executeTakeFirst();
  return row?.public_url ?? undefined;
}

async function modeOf({ query }: Pick<Database, 'query'>): Promise<Mode | undefined> {
  const row = await query.selectFrom('environment').select('mode').executeTakeFirst();
  return row?.mode;
}

/** Stores the mode unless another process has, and returns the one that is stored. */
function remember(database: Database, mode: Mode): Promise<Mode> {
  return database.write(async (tx) => {
    await tx
      .insertInto('environment')
      .values({ id: 1, mode, public_url: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await modeOf({ query: tx })) ?? mode;
  });
}

/**
 * Locks the one row of `environment` until the database transaction ends: for changes of things the whole database has in common,
 * such as signing keys.
 */
export async function lockEnvironment(tx: Tx): Promise<void> {
  await tx.selectFrom('environment').select('id').forUpdate().execute();
}
