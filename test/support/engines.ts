import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { createPostgresDatabase } from './postgres.ts';
import { atTheEnd } from './cleanup.ts';

export type Engine = Database['engine'];

/** Runs the same examples on every engine. */
export function describeOnEveryEngine(title: string, examples: (engine: Engine) => void): void {
  describe.each(['sqlite', 'postgres'] as const)(`${title} (%s)`, examples);
}

/** An empty database of its own; what is left of it goes when the surrounding examples are through. */
export async function givenDatabaseUrl(engine: Engine): Promise<{ url: string; remove(): Promise<void> }> {
  if (engine === 'postgres') {
    const { url, drop } = await createPostgresDatabase(inject('postgresUrl'));
    return { url, remove: drop };
  }
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  return { url: `sqlite:${join(folder, 'test.db')}`, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** A migrated database for the examples around it. */
export async function givenDatabase(engine: Engine): Promise<Database> {
  const { url, remove } = await givenDatabaseUrl(engine);
  const database = openDatabase(url);
  await database.migrate();
  atTheEnd(async () => {
    await database.close();
    await remove();
  });
  return database;
}
