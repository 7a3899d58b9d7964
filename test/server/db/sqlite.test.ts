import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, Query, Tx } from '../../../server/db/database.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { sqlitePackage } from '../../../server/db/driver.ts';
import { openSqlite } from '../../../server/db/sqlite.ts';
import { testKeys } from '../../support/data-keys.ts';

let folder: string;
let filename: string;
let database: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  // The folder does not exist, like data/ in a new clone.
  filename = join(folder, 'data', 'test.db');
  database = openSqlite(filename, testKeys);
  await database.migrate();
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const now = '2026-11-21T09:30:00.000000Z';
const insertTenant = (tx: Tx, id: string) => tx.insertInto('tenants').values({ id, name: 'Acme', createdAt: now }).execute();
const pragma = async (query: Query, name: string) => {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(query);
  return Object.values(rows[0]!)[0];
};

/** Locks a new database file for 200 ms, like a process that enables WAL. Runs in a worker, because opening blocks this thread. */
const HOLDER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const file = new (require(workerData.sqlitePackage))(workerData.filename);
  file.exec('begin immediate');
  parentPort.postMessage('held');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  file.exec('commit');
  file.close();`;

describe('A SQLite database', () => {
  it('waits for the lock of another process when it is opened', async () => {
    const shared = join(folder, 'shared.db');
    const holder = new Worker(HOLDER, { eval: true, workerData: { sqlitePackage, filename: shared } });
    const exited = once(holder, 'exit');
    await once(holder, 'message');

    const opened = openSqlite(shared, testKeys);

    expect(await pragma(opened.query, 'journal_mode')).toBe('wal');
    await opened.close();
    await exited;
  });

  it('is created in a new folder', () => {
    expect(statSync(filename).isFile()).toBe(true);
  });

  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['journal_size_limit', 67_108_864],
  ])('has %s = %s on both of its connections', async (name, value) => {
    expect(await pragma(database.query, name)).toBe(value);
    expect(await database.write((tx) => pragma(tx, name))).toBe(value);
  });

  it('rejects changes outside a write', async () => {
    const written = database.query.insertInto('tenants').values({ id: 't', name: 'Acme', createdAt: now }).execute();

    await expect(written).rejects.toThrow(/readonly/);
  });

  it.each([
    ['in memory', 'sqlite::memory:'],
    ['in a temporary file', 'sqlite:'],
  ])('cannot be %s, which would lose acknowledged writes', (_title, url) => {
    expect(() => openDatabase(url, testKeys)).toThrow(
      /^SQLite would lose writes: expected WAL and synchronous 2 \(FULL\), but found /,
    );
  });

  it('has STRICT tables only', async () => {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_list where schema = 'main' and strict = 0 and name not like 'sqlite%' and name not like 'kysely%'
    `.execute(database.query);

    expect(rows).toEqual([]);
  });

  it.each([
    ['text for an integer', { attempts: 'many' }],
    ['a fraction for an integer', { attempts: 1.5 }],
    ['bytes for text', { endpoint: Buffer.from('x') }],
    ['null for a required value', { sealed: null }],
  ])('rejects %s', async (_title, invalid) => {
    const row = {
      id: 'n',
      merchantId: 'm',
      endpoint: '',
      sealed: '',
      attempts: 0,
      lastFailure: '',
      createdAt: now,
      ...invalid,
    };

    const written = database.write((tx) =>
      tx
        .insertInto('outbox')
        .values(row as never)
        .execute(),
    );

    await expect(written).rejects.toThrow(/cannot store|NOT NULL/);
  });
});

describe('Concurrent writes', () => {
  const createChildren = (writer: Database) =>
    writer.write((tx) =>
      sql`create table children (tenant_id text references tenants (id) deferrable initially deferred) strict`.execute(tx),
    );
  const writeInvalidAndValid = async (writer: Database) => {
    await createChildren(writer);
    const outcomes = await Promise.allSettled([
      writer.write((tx) => sql`insert into children values ('unknown')`.execute(tx)),
      writer.write((tx) => insertTenant(tx, 'valid')),
    ]);
    return outcomes.map(({ status }) => status);
  };

  it('share one commit, and are all rejected if it fails', async () => {
    expect(await writeInvalidAndValid(database)).toEqual(['rejected', 'rejected']);
    expect(await database.query.selectFrom('tenants').select('id').execute()).toEqual([]);
  });

  it('that start in separate callbacks share one commit', async () => {
    await createChildren(database);

    const valid = database.write((tx) => insertTenant(tx, 'valid'));
    const invalid = new Promise((resolve, reject) => {
      process.nextTick(() => {
        database.write((tx) => sql`insert into children values ('unknown')`.execute(tx)).then(resolve, reject);
      });
    });

    const outcomes = await Promise.allSettled([valid, invalid]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('that start in turns of the event loop share one commit, as long as each turn adds one', async () => {
    await createChildren(database);
    const inNextTurn = <T>(work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => void setImmediate(() => void work().then(resolve, reject)));
    const insert = (id: string) => database.write((tx) => insertTenant(tx, id));

    const others = inNextTurn(async () => {
      const invalid = inNextTurn(() => database.write((tx) => sql`insert into children values ('unknown')`.execute(tx)));
      return Promise.allSettled([insert('second'), invalid]);
    });
    const first = insert('first');

    await expect(first).rejects.toThrow('FOREIGN KEY');
    expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('have separate commits with maxJobsPerCommit 1', async () => {
    const single = openSqlite(filename, testKeys, { maxJobsPerCommit: 1 });
    try {
      expect(await writeInvalidAndValid(single)).toEqual(['rejected', 'fulfilled']);
      expect(await database.query.selectFrom('tenants').select('id').execute()).toEqual([{ id: 'valid' }]);
    } finally {
      await single.close();
    }
  });

  it('run in order, even if they exceed the size of one commit', async () => {
    const order: number[] = [];

    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        database.write(async (tx) => {
          order.push(index);
          await insertTenant(tx, `t_${index}`);
        }),
      ),
    );

    expect(order).toEqual(Array.from({ length: 300 }, (_, index) => index));
    const { count } = await database.query
      .selectFrom('tenants')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(300);
  });

  it('complete before the database closes', async () => {
    const writes = Array.from({ length: 300 }, (_, index) => database.write((tx) => insertTenant(tx, `t_${index}`)));

    await database.close();

    expect((await Promise.allSettled(writes)).every(({ status }) => status === 'fulfilled')).toBe(true);
    database = openSqlite(filename, testKeys);
    expect(await database.query.selectFrom('tenants').select('id').execute()).toHaveLength(300);
  });
});
