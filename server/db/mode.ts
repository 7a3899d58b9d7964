import type { Database } from './database.ts';
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

async function modeOf({ query }: Pick<Database, 'query'>): Promise<Mode | undefined> {
  const row = await query.selectFrom('environment').select('mode').executeTakeFirst();
  return row?.mode;
}

/** Of two that open it at once, one is first, and the other hears which. */
function remember(database: Database, mode: Mode): Promise<Mode> {
  return database.write(async (tx) => {
    const earlier = await modeOf({ query: tx });
    if (earlier) return earlier;
    await tx.insertInto('environment').values({ id: 1, mode }).execute();
    return mode;
  });
}
