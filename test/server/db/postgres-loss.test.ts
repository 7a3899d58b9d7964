import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import Koa from 'koa';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase, type Query, type Tx } from '../../../server/db/database.ts';
import { openPostgres } from '../../../server/db/postgres.ts';
import { healthRoutes } from '../../../server/http/health.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { createDatabase, createDatabaseUrl } from '../../support/databases.ts';
import { listen } from '../../support/http.ts';
import { until } from '../../support/time.ts';

let database: Database;
let url: string;
let remove: () => Promise<void>;
/** Another server session, which outlives what it ends. */
let operator: Database;
beforeAll(async () => {
  const given = await createDatabaseUrl('postgres');
  ({ url, remove } = given);
  database = openDatabase(url);
  await database.migrate();
  operator = await createDatabase('postgres');
});
afterAll(async () => {
  await database.close();
  await remove();
});

/** Messages for a lost connection, from the server, the driver or the operating system, whichever detects it first. */
const LOST = /terminat|not queryable|closed|ECONNRESET|EPIPE/i;

/** Errors that would have ended the process. */
let uncaught: unknown[];
const note = (thrown: unknown) => void uncaught.push(thrown);
beforeEach(() => {
  uncaught = [];
  process.on('uncaughtException', note);
});
afterEach(() => void process.off('uncaughtException', note));

const insertTenant = (tx: Tx, id: string) =>
  tx.insertInto('tenants').values({ id, name: 'Acme', created_at: '2026-11-21T09:30:00.000000Z' }).execute();
const tenants = async () => {
  const rows = await database.query.selectFrom('tenants').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
};
const sessionOf = async (query: Query) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(query);
  return rows[0]!.pid;
};
/** Terminates a session as a server restart does. Resolves when the session has ended. */
const end = async (pid: number) => {
  await sql`select pg_terminate_backend(${pid})`.execute(operator.query);
  await until(async () => {
    const { rows } = await sql`select pid from pg_stat_activity where pid = ${pid}`.execute(operator.query);
    return rows.length === 0;
  });
};
const expectToGoOn = async (id: string) => {
  // Runs more queries at once than the pool has connections. None of them receives the lost one.
  const ids = Array.from({ length: 30 }, (_, index) => `${id}-${index}`);
  await Promise.all(ids.map((each) => database.write((tx) => insertTenant(tx, each))));
  expect(await tenants()).toEqual(expect.arrayContaining(ids));
  expect(uncaught).toEqual([]);
};

it('a connection that is lost between two queries of a write rejects that write, and the next one works', async () => {
  let runs = 0;
  const write = database.write(async (tx) => {
    runs += 1;
    await insertTenant(tx, 'lost-between');
    await end(await sessionOf(tx));
    await insertTenant(tx, 'lost-after');
  });

  await expect(write).rejects.toThrow(LOST);
  expect(runs).toBe(1);
  expect(await tenants()).not.toContain('lost-between');
  await expectToGoOn('between');
});

it('a connection that is lost in the middle of a query rejects that write, and the next one works', async () => {
  const write = database.write(async (tx) => {
    await insertTenant(tx, 'lost-within');
    const pid = await sessionOf(tx);
    const [outcome] = await Promise.allSettled([sql`select pg_sleep(60)`.execute(tx), end(pid)]);
    if (outcome.status === 'rejected') throw outcome.reason;
  });

  await expect(write).rejects.toThrow(LOST);
  expect(await tenants()).not.toContain('lost-within');
  await expectToGoOn('within');
});

it('a connection that is lost just before the commit rejects that write, although its queries succeeded', async () => {
  const write = database.write(async (tx) => {
    await insertTenant(tx, 'lost-at-commit');
    await end(await sessionOf(tx));
  });

  await expect(write).rejects.toThrow(LOST);
  expect(await tenants()).not.toContain('lost-at-commit');
  await expectToGoOn('commit');
});

it('connections that are all lost at once, busy and idle, are replaced', async () => {
  const writes = Array.from({ length: 5 }, (_, index) =>
    database.write(async (tx) => {
      await end(await sessionOf(tx));
      await insertTenant(tx, `lost-together-${index}`);
    }),
  );

  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
  await expectToGoOn('together');
});

describe('a server that is frozen or disconnected and does not respond', () => {
  /** Creates a connection to the server that drops data silently while it is cut. */
  async function givenWay() {
    let isCut = false;
    const { hostname, port } = new URL(url);
    const way = createServer((near) => {
      const far = connect(Number(port), hostname);
      near.on('data', (sent) => isCut || far.write(sent)).on('close', () => far.destroy());
      far.on('data', (chunk) => isCut || near.write(chunk)).on('close', () => near.destroy());
      for (const socket of [near, far]) socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(way, 'listening');
    onCleanup(() => way.close());
    const throughIt = new URL(url);
    throughIt.port = String((way.address() as AddressInfo).port);
    return { url: throughIt.href, cut: () => (isCut = true), restore: () => (isCut = false) };
  }

  it('is awaited until the query timeout, and is used again once it is reachable', async () => {
    const way = await givenWay();
    const cutOff = openPostgres(way.url, { statementTimeoutMs: 1_000 });
    onCleanup(() => cutOff.close());
    await cutOff.write((tx) => insertTenant(tx, 'before-silence'));

    way.cut();
    const outcomes = await Promise.allSettled([
      cutOff.write((tx) => insertTenant(tx, 'in-silence')),
      cutOff.write((tx) => insertTenant(tx, 'in-silence-too')),
    ]);
    way.restore();

    expect(outcomes).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    await cutOff.write((tx) => insertTenant(tx, 'after-silence'));
    expect(await tenants()).toEqual(expect.arrayContaining(['before-silence', 'after-silence']));
    expect(uncaught).toEqual([]);
  });

  it('makes the readiness check fail without waiting', async () => {
    const way = await givenWay();
    const cutOff = openDatabase(way.url);
    onCleanup(() => cutOff.close());
    const handle = new Koa().use(healthRoutes(cutOff, 1_000).middleware()).callback();
    const health = await listen((request, response) => void handle(request, response));
    onCleanup(health.stop);
    // The first connection may take longer than a second.
    await until(async () => (await fetch(`${health.url}/readyz`)).status === 200);

    way.cut();
    expect((await fetch(`${health.url}/readyz`)).status).toBe(503);
  });
});
