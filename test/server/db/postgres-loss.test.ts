import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import Koa from 'koa';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Query, Tx } from '../../../server/db/database.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { openPostgres } from '../../../server/db/postgres.ts';
import { healthRoutes } from '../../../server/http/health.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { createDatabase, createDatabaseUrl, openTestDatabase } from '../../support/databases.ts';
import { listen } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { testKeys } from '../../support/data-keys.ts';

const url = await createDatabaseUrl('postgres');
const database = openDatabase(url, testKeys);
await database.migrate();
/** Connection that terminates the connections of `database`. */
const operator = await createDatabase('postgres');
afterAll(async () => {
  await database.close();
});

/** The error for messages about a lost connection from the server, the driver or the operating system. */
const CONNECTION_LOST = {
  code: 'database-unavailable',
  cause: expect.objectContaining({ message: expect.stringMatching(/terminat|not queryable|closed|ECONNRESET|EPIPE/i) }),
};

/** Errors that would terminate the process. */
let uncaught: unknown[];
const recordError = (thrown: unknown) => void uncaught.push(thrown);
beforeEach(() => {
  uncaught = [];
  process.on('uncaughtException', recordError);
});
afterEach(() => void process.off('uncaughtException', recordError));

const insertTenant = (tx: Tx, id: string) =>
  tx.insertInto('tenants').values({ id, name: 'Acme', createdAt: '2026-11-21T09:30:00.000000Z' }).execute();
const tenants = async () => {
  const rows = await database.query.selectFrom('tenants').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
};
const pidOf = async (query: Query) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(query);
  return rows[0]!.pid;
};
/** Terminates a connection as a server restart does. Resolves when it has ended. */
const terminate = async (pid: number) => {
  await sql`select pg_terminate_backend(${pid})`.execute(operator.query);
  await until(async () => {
    const { rows } = await sql`select pid from pg_stat_activity where pid = ${pid}`.execute(operator.query);
    return rows.length === 0;
  });
};
const expectToWork = async (id: string) => {
  // More concurrent writes than the pool has connections, so that each connection is used.
  const ids = Array.from({ length: 30 }, (_, index) => `${id}-${index}`);
  await Promise.all(ids.map((each) => database.write((tx) => insertTenant(tx, each))));
  expect(await tenants()).toEqual(expect.arrayContaining(ids));
  expect(uncaught).toEqual([]);
};

it('A connection that is lost between two queries of a write rejects that write, and later writes succeed', async () => {
  let runs = 0;
  const write = database.write(async (tx) => {
    runs += 1;
    await insertTenant(tx, 'lost-between');
    await terminate(await pidOf(tx));
    await insertTenant(tx, 'lost-after');
  });

  await expect(write).rejects.toMatchObject(CONNECTION_LOST);
  expect(runs).toBe(1);
  expect(await tenants()).not.toContain('lost-between');
  await expectToWork('between');
});

it('A connection that is lost during a query rejects its write, and later writes succeed', async () => {
  const write = database.write(async (tx) => {
    await insertTenant(tx, 'lost-within');
    const pid = await pidOf(tx);
    const [outcome] = await Promise.allSettled([sql`select pg_sleep(60)`.execute(tx), terminate(pid)]);
    if (outcome.status === 'rejected') throw outcome.reason;
  });

  await expect(write).rejects.toMatchObject(CONNECTION_LOST);
  expect(await tenants()).not.toContain('lost-within');
  await expectToWork('within');
});

it('A connection that is lost before the commit rejects its write, although the queries succeeded', async () => {
  const write = database.write(async (tx) => {
    await insertTenant(tx, 'lost-at-commit');
    await terminate(await pidOf(tx));
  });

  await expect(write).rejects.toMatchObject(CONNECTION_LOST);
  expect(await tenants()).not.toContain('lost-at-commit');
  await expectToWork('commit');
});

it('Several connections that are lost together are replaced', async () => {
  const writes = Array.from({ length: 5 }, (_, index) =>
    database.write(async (tx) => {
      await terminate(await pidOf(tx));
      await insertTenant(tx, `lost-together-${index}`);
    }),
  );

  const outcomes = await Promise.allSettled(writes);
  expect(outcomes).toMatchObject(outcomes.map(() => ({ status: 'rejected', reason: { code: 'database-unavailable' } })));
  await expectToWork('together');
});

describe('A server that does not respond', () => {
  /** Starts a proxy that silently drops all data while it is disconnected. */
  async function createProxy() {
    let isDisconnected = false;
    const { hostname, port } = new URL(url);
    const proxy = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      client.on('data', (chunk) => isDisconnected || upstream.write(chunk)).on('close', () => upstream.destroy());
      upstream.on('data', (chunk) => isDisconnected || client.write(chunk)).on('close', () => client.destroy());
      for (const socket of [client, upstream]) socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onCleanup(() => proxy.close());
    const proxyUrl = new URL(url);
    proxyUrl.port = String((proxy.address() as AddressInfo).port);
    return { url: proxyUrl.href, disconnect: () => (isDisconnected = true), reconnect: () => (isDisconnected = false) };
  }

  it('rejects writes after the query timeout, and works again once it responds', async () => {
    const proxy = await createProxy();
    const proxied = openPostgres(proxy.url, testKeys, { statementTimeoutMs: 1_000 });
    onCleanup(() => proxied.close());
    await proxied.write((tx) => insertTenant(tx, 'before'));

    proxy.disconnect();
    const outcomes = await Promise.allSettled([
      proxied.write((tx) => insertTenant(tx, 'during')),
      proxied.write((tx) => insertTenant(tx, 'during-2')),
    ]);
    proxy.reconnect();

    const unavailable = { status: 'rejected', reason: { code: 'database-unavailable', cause: { code: 'ETIMEDOUT' } } };
    expect(outcomes).toMatchObject([unavailable, unavailable]);
    await proxied.write((tx) => insertTenant(tx, 'after'));
    expect(await tenants()).toEqual(expect.arrayContaining(['before', 'after']));
    expect(uncaught).toEqual([]);
  });

  it('fails the readiness check without waiting for the query timeout', async () => {
    const proxy = await createProxy();
    const proxied = openTestDatabase(proxy.url);
    const handle = new Koa().use(healthRoutes(proxied, 1_000).middleware()).callback();
    const health = await listen((request, response) => void handle(request, response));
    onCleanup(health.stop);
    // The first connection can take longer than the timeout of one second.
    await until(async () => (await fetch(`${health.url}/readyz`)).status === 200);

    proxy.disconnect();
    // The earlier result is used for a second, and the check has a timeout of a second.
    await until(async () => (await fetch(`${health.url}/readyz`)).status === 503, 10_000);
  });
});
