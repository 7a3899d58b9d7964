import { sql } from 'kysely';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Database, Tx } from '../../../server/db/database.ts';
import { onFailure } from '../../../server/db/engine.ts';
import { openPostgres } from '../../../server/db/postgres.ts';
import { newId } from '../../../server/base/ids.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { testKeys } from '../../support/data-keys.ts';
import { alterDatabase, createMigratedDatabaseUrl, openTestDatabase } from '../../support/databases.ts';
import { freePort } from '../../support/network.mjs';
import { runOnPostgres } from '../../support/postgres.ts';
import { until } from '../../support/time.ts';

const url = await createMigratedDatabaseUrl('postgres');
const database = openTestDatabase(url);

const unavailable = (code?: string) => ({
  name: 'ServiceError',
  code: 'database-unavailable',
  message: expect.stringContaining('A write may have had its effect'),
  ...(code !== undefined && { cause: expect.objectContaining({ code }) }),
});
const write = (tx: Tx, id: string = newId()) =>
  tx.insertInto('tenants').values({ id, name: 'Acme', createdAt: '2026-11-21T09:30:00.000000Z' }).execute();
const hasTenant = async (id: string) =>
  (await database.query.selectFrom('tenants').select('id').where('id', '=', id).execute()).length === 1;
const read = ({ query }: Database) => sql`select 1`.execute(query);
const pidOf = async (tx: Tx) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]!.pid;

describe('PostgreSQL is unavailable', () => {
  it.each([
    ['08006', 'a lost connection'],
    ['25006', 'a read-only server'],
    ['40003', 'an unknown result of a commit'],
    ['53100', 'a full disk'],
    ['53200', 'a lack of memory'],
    ['57014', 'a canceled statement'],
    ['57P02', 'a crash'],
    ['58030', 'an I/O error'],
  ])('after the error %s, %s', async (code) => {
    const failing = database.write(async (tx) => {
      await write(tx, code);
      await sql`do ${sql.raw(`$$ begin raise exception 'failed' using errcode = '${code}'; end $$`)}`.execute(tx);
    });
    await expect(failing).rejects.toMatchObject(unavailable(code));
    expect(await hasTenant(code)).toBe(false);
  });

  it.each([
    ['23505', 'a conflict'],
    ['22012', 'a division by zero'],
    ['XX001', 'a damaged file'],
  ])('but not after the error %s, %s', async (code) => {
    const failing = database.write((tx) =>
      sql`do ${sql.raw(`$$ begin raise exception 'failed' using errcode = '${code}'; end $$`)}`.execute(tx),
    );
    await expect(failing).rejects.toMatchObject({ code });
  });

  it('also if the error of a query that followed the failed one is thrown', async () => {
    const failing = database.write(async (tx) => {
      await sql`do $$ begin raise exception 'failed' using errcode = '57014'; end $$`.execute(tx).catch(() => undefined);
      await write(tx);
    });
    await expect(failing).rejects.toMatchObject(unavailable('25P02'));
  });

  it('if nothing listens on its port', async () => {
    const nowhere = new URL(url);
    nowhere.port = String(await freePort());
    const away = openTestDatabase(nowhere.href);
    await expect(read(away)).rejects.toMatchObject(unavailable('ECONNREFUSED'));
    await expect(away.write(write)).rejects.toMatchObject(unavailable('ECONNREFUSED'));
  });

  it('if it rejects the login', async () => {
    const rejected = new URL(url);
    rejected.password = 'wrong';
    await expect(read(openTestDatabase(rejected.href))).rejects.toMatchObject(unavailable('28P01'));
  });

  it('if it has no connection left, and available once another one was closed', async () => {
    const role = `limited_${newId().replaceAll('-', '')}`;
    await runOnPostgres(url, `create role ${role} login connection limit 1 password 'limited'`);
    await runOnPostgres(url, `grant all on all tables in schema public to ${role}`);
    onCleanup(() => runOnPostgres(url, `drop owned by ${role}; drop role ${role}`));
    const limitedUrl = Object.assign(new URL(url), { username: role, password: 'limited' }).href;
    const first = openPostgres(limitedUrl, testKeys);
    const second = openTestDatabase(limitedUrl);
    await first.write(write);
    await expect(second.write(write)).rejects.toMatchObject(unavailable('53300'));
    await first.close();
    await until(() => second.write(write).catch(() => false));
  });
});

describe('A server that becomes read-only', () => {
  afterEach(() => alterDatabase(url, 'set default_transaction_read_only = off'));

  it('is read but not written, and is writable again when a small write was committed', async () => {
    expect(await database.isWritable()).toBe(true);
    await alterDatabase(url, 'set default_transaction_read_only = on');
    await until(() => read(database).catch(() => false));
    // Nothing was written, so that nothing is known yet.
    expect(await database.isWritable()).toBe(true);
    await expect(database.write(write)).rejects.toMatchObject(unavailable('25006'));
    await expect(database.isWritable()).rejects.toMatchObject(unavailable('25006'));
    await read(database);

    // Connections that are open stay read-only: the service replaces them.
    const name = new URL(url).pathname.slice(1);
    await runOnPostgres(inject('postgresUrl'), `alter database ${name} set default_transaction_read_only = off`);
    await expect(database.isWritable()).rejects.toMatchObject(unavailable('25006'));
    await until(() => database.isWritable().catch(() => false));
    await database.write(write);
    const { rows } = await sql`select 1 from limited_attempts`.execute(database.query);
    expect(rows).toEqual([]);
  });
});

it('Failures of the database are reported at most once in ten seconds, with their number', async () => {
  const reported: [unknown, number][] = [];
  const away = openTestDatabase(Object.assign(new URL(url), { port: String(await freePort()) }).href);
  onFailure(away, (cause, notReported) => reported.push([cause, notReported]));
  for (let count = 0; count < 3; count += 1) await read(away).catch(() => undefined);
  expect(reported).toEqual([[expect.objectContaining({ code: 'ECONNREFUSED' }), 0]]);
});

describe('A write', () => {
  const cancel = (pid: number) => runOnPostgres(url, `select pg_cancel_backend(${pid})`);

  it('that is canceled before its commit is rolled back', async () => {
    const id = newId();
    const canceled = database.write(async (tx) => {
      await write(tx, id);
      const pid = await pidOf(tx);
      const isSleeping = sql`select 1 from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`;
      await Promise.all([
        sql`select pg_sleep(60)`.execute(tx),
        until(async () => (await isSleeping.execute(database.query)).rows.length === 1).then(() => cancel(pid)),
      ]);
    });
    await expect(canceled).rejects.toMatchObject(unavailable('57014'));
    expect(await hasTenant(id)).toBe(false);
  });

  describe('whose commit waits for a synchronous standby', () => {
    const setStandby = async (name: string) => {
      await runOnPostgres(inject('postgresUrl'), `alter system set synchronous_standby_names = '${name}'`);
      await runOnPostgres(inject('postgresUrl'), 'select pg_reload_conf()');
      const shown = sql<{ name: string }>`select setting as name from pg_settings where name = 'synchronous_standby_names'`;
      await until(async () => (await shown.execute(database.query)).rows[0]!.name === name);
    };
    afterEach(() => setStandby(''));

    /** Returns a database whose commits wait for a standby that does not exist, and the result of a write that waits. */
    const startWaiting = async (statementTimeoutMs: number) => {
      // Other databases of the tests do not wait: their commits are asynchronous.
      await alterDatabase(url, 'set synchronous_commit = on');
      await setStandby('absent');
      const waiting = openPostgres(url, testKeys, { statementTimeoutMs });
      onCleanup(() => waiting.close());
      const id = newId();
      return { waiting, id, outcome: waiting.write((tx) => write(tx, id)).catch((thrown: unknown) => thrown) };
    };
    /** Waits until a commit waits, and cancels it. */
    const cancelWaiting = async () => {
      const isWaiting = sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and wait_event = 'SyncRep'`;
      const { pid } = await until(async () => (await isWaiting.execute(database.query)).rows[0]);
      await cancel(pid);
    };

    it('has an unknown outcome if the wait is canceled, although the server reports success with a warning', async () => {
      const { waiting, id, outcome } = await startWaiting(60_000);
      await cancelWaiting();
      expect(await outcome).toMatchObject(unavailable('01000'));
      expect(await hasTenant(id)).toBe(true);

      const small = waiting.isWritable().catch((thrown: unknown) => thrown);
      await cancelWaiting();
      expect(await small).toMatchObject(unavailable('01000'));
      await setStandby('');
      expect(await waiting.isWritable()).toBe(true);
    });

    it('has an unknown outcome if the service waits for too long', async () => {
      const { waiting, id, outcome } = await startWaiting(1_000);
      expect(await outcome).toMatchObject(unavailable('ETIMEDOUT'));
      await setStandby('');
      await until(() => hasTenant(id));
      expect(await waiting.isWritable()).toBe(true);
    });
  });
});
