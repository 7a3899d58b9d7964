import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../server/db/database.ts';
import { startPostgres } from './postgres-server.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address of the PostgreSQL that lives as long as this test run. */
    postgresUrl: string;
    /** A database there whose tables are up to date, to be copied: to bring them there takes longer than most examples do. */
    postgresTemplate: string;
    /** Where SQLite's files are made; `template.db` there is one of the kind. */
    sqliteFolder: string;
  }
}

/** Starts PostgreSQL before the first test file that may want it and removes it after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const folder = mkdtempSync(join(roomInMemory(), 'fairterm-sqlite-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const template = await createPostgresDatabase(server.url);
  for (const url of [template.url, `sqlite:${join(folder, 'template.db')}`]) {
    const database = openDatabase(url);
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
 * A folder that is no disk, where there is one with room: SQLite waits for the disk with every commit, as it must, and no example
 * cuts the power.
 */
function roomInMemory(): string {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 2 ** 30 ? inMemory : tmpdir();
}

/**
 * A separate database for one test file. Close the connections to it before `drop`: it ends those that are left.
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
