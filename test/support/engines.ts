import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { createPostgresDatabase } from './postgres.ts';
import { atTheEnd } from './cleanup.ts';

export type Engine = Database['engine'];

/**
 * The engine of tests whose subject is not the database. `npm run test:nightly -- postgres` runs all of them again on PostgreSQL.
 */
export const defaultEngine: Engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

/**
 * Declares tests of stores, locks, idempotency, the outbox and migrations: they run on both engines.
 */
export function describeOnEveryEngine(title: string, examples: (engine: Engine) => void): void {
  describe.each(['sqlite', 'postgres'] as const)(`${title} (%s)`, examples);
}

export interface DatabaseUrl {
  url: string;
  remove(): Promise<void>;
}

/** An empty database of its own; what is left of it goes when the surrounding examples are through. */
export async function givenDatabaseUrl(engine = defaultEngine): Promise<DatabaseUrl> {
  if (engine === 'sqlite') return givenFile();
  const { url, drop } = await createPostgresDatabase(inject('postgresUrl'));
  return { url, remove: drop };
}

/** The same, with its tables up to date. */
export async function givenMigratedUrl(engine = defaultEngine): Promise<DatabaseUrl> {
  if (engine === 'sqlite') return givenFile('template.db');
  const { url, drop } = await createPostgresDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  return { url, remove: drop };
}

/** @param template - The name of the file it is a copy of. Outside of the tests there is none, and it is empty. */
function givenFile(template?: string): DatabaseUrl {
  const among: string | undefined = inject('sqliteFolder');
  const folder = mkdtempSync(join(among ?? tmpdir(), 'fairterm-test-'));
  const file = join(folder, 'test.db');
  if (among && template) copyFileSync(join(among, template), file);
  return { url: `sqlite:${file}`, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** A migrated database for the examples around it. */
export async function givenDatabase(engine = defaultEngine): Promise<Database> {
  const { url, remove } = await givenMigratedUrl(engine);
  const database = openDatabase(url);
  await database.migrate();
  atTheEnd(async () => {
    await database.close();
    await remove();
  });
  return database;
}
