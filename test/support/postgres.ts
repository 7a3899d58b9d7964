import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address of the PostgreSQL that lives as long as this test run. */
    postgresUrl: string;
  }
}

/** Starts PostgreSQL before the first test file that may want it and removes it after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresUrl', server.url);
  return () => server.stop();
}

/**
 * An empty database of its own for one test file. Close the connections to it before `drop`: it ends those that are left.
 *
 * @param adminUrl what `inject('postgresUrl')` gives
 */
export async function createPostgresDatabase(
  adminUrl: ProvidedContext['postgresUrl'],
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(adminUrl, `create database ${name}`);
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
