import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../server/db/database.ts';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address of the PostgreSQL that lives as long as this test run. */
    postgresUrl: string;
    /** A database there whose tables are up to date, to be copied: to bring them there takes longer than most examples do. */
    postgresTemplate: string;
    /** A file of the kind. */
    sqliteTemplate: string;
  }
}

/** Starts PostgreSQL before the first test file that may want it and removes it after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-template-'));
  const file = join(folder, 'template.db');
  const template = await createPostgresDatabase(server.url);
  for (const url of [template.url, `sqlite:${file}`]) {
    const database = openDatabase(url);
    await database.migrate();
    await database.close();
  }
  project.provide('postgresUrl', server.url);
  project.provide('postgresTemplate', new URL(template.url).pathname.slice(1));
  project.provide('sqliteTemplate', file);
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/**
 * A database of its own for one test file. Close the connections to it before `drop`: it ends those that are left.
 *
 * @param adminUrl what `inject('postgresUrl')` gives
 * @param template the name of the one it is a copy of; left out, it is empty
 */
export async function createPostgresDatabase(
  adminUrl: ProvidedContext['postgresUrl'],
  template = 'template1',
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => query(adminUrl, `drop database if exists ${name} with (force)`) };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
