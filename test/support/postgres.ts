import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool, type PoolConfig } from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../server/db/open-database.ts';
import { startPostgres } from './postgres-server.mjs';
import { testKeys } from './data-keys.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a superuser of the PostgreSQL server of this test run. */
    postgresUrl: string;
    /** Name of a migrated database. Tests copy it, because a migration takes longer than most tests. */
    postgresTemplate: string;
    /** Folder of the SQLite files. `template.db` in it is a migrated database. */
    sqliteFolder: string;
  }
}

/** Starts PostgreSQL before the first test file and removes it after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const folder = mkdtempSync(join(memoryFolder(), 'fairterm-sqlite-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const template = await createPostgresDatabase(server.url);
  for (const url of [template.url, `sqlite:${join(folder, 'template.db')}`]) {
    const database = openDatabase(url, testKeys);
    await database.migrate();
    await database.close();
  }
  project.provide('postgresUrl', server.url);
  project.provide('postgresTemplate', new URL(template.url).pathname.slice(1));
  project.provide('sqliteFolder', folder);
  return async () => {
    await server.stop();
    remove();
  };
}

/**
 * Returns a folder in memory if there is one with enough space. On a disk, SQLite waits for each commit to be written, which tests
 * do not need.
 */
function memoryFolder(): string {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 2 ** 30 ? inMemory : tmpdir();
}

/**
 * Creates a database for one test file. `drop` terminates remaining connections, so close them first.
 *
 * @param adminUrl - URL of a superuser.
 * @param template - Name of the database to copy. By default, the new database is empty.
 */
export async function createPostgresDatabase(
  adminUrl: ProvidedContext['postgresUrl'],
  template = 'template1',
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnPostgres(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOnPostgres(adminUrl, `drop database if exists ${name} with (force)`) };
}

/**
 * Opens a pool. `end` does not wait until its connections are closed, so `drop` may still terminate one of them: an `error` event,
 * which would end the process without a listener.
 */
export function openPool(config: PoolConfig): Pool {
  return new Pool(config).on('error', () => undefined);
}

/** Executes SQL on a connection of its own. */
export async function runOnPostgres(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
