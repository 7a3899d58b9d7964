import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Sqlite } from '../../../server/db/driver.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase, type Query, type Tx } from '../../../server/db/database.ts';
import { buildService, startProcess } from '../../support/process.ts';
import { until } from '../../support/time.ts';

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));

let folder: string;
let filename: string;
beforeAll(buildService);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  filename = join(folder, 'test.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pragma = async (query: Query, name: string) => {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(query);
  return Object.values(rows[0]!)[0];
};
const tenantsIn = async ({ query }: Database) => {
  const rows = await query.selectFrom('tenants').select('id').execute();
  return rows.map(({ id }) => id).toSorted();
};

describe('a full disk', () => {
  let database: Database;
  let next: number;
  beforeEach(async () => {
    database = openDatabase(`sqlite:${filename}`);
    await database.migrate();
    next = 1;
  });
  afterEach(() => database.close());

  /** SQLite's own bound: beyond it the file cannot grow, which it reports and cleans up after as it does a full disk. */
  const allowPages = (pages: number) => database.write((tx) => pragma(tx, `max_page_count = ${pages}`));
  const allowMorePages = async (pages: number) =>
    allowPages(Number(await database.write((tx) => pragma(tx, 'page_count'))) + pages);
  /** Takes more than a page. */
  const insertTenant = (tx: Tx, id: string) =>
    tx
      .insertInto('tenants')
      .values({ id, name: 'x'.repeat(6_000), created_at: '2026-11-21T09:30:00.000000Z' })
      .execute();
  const write = () => {
    const id = `t_${next++}`;
    return database.write((tx) => insertTenant(tx, id)).then(() => id);
  };
  /** Writes one after the other until the disk is full. */
  const fill = async () => {
    const acknowledged: string[] = [];
    await allowMorePages(20);
    for (;;) {
      const [outcome] = await Promise.allSettled([write()]);
      if (outcome.status === 'rejected') return { acknowledged, failure: outcome.reason as unknown };
      acknowledged.push(outcome.value);
    }
  };

  it('rejects a write with the reason, and every later write', async () => {
    const { acknowledged, failure } = await fill();

    expect(acknowledged).not.toEqual([]);
    expect(failure).toMatchObject({ code: 'SQLITE_FULL' });
    for (let times = 0; times < 3; times++) await expect(write()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  });

  it('rejects each of the writes that wait at the same time with the reason', async () => {
    await fill();

    const outcomes = await Promise.allSettled([write(), write(), write()]);

    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : outcome.value))).toEqual([
      'SQLITE_FULL',
      'SQLITE_FULL',
      'SQLITE_FULL',
    ]);
  });

  it('contains exactly the acknowledged writes', async () => {
    const { acknowledged } = await fill();
    const outcomes = await Promise.allSettled([write(), write()]);
    acknowledged.push(...outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));

    expect(await tenantsIn(database)).toEqual(acknowledged.toSorted());
    expect(await pragma(database.query, 'integrity_check')).toBe('ok');
  });

  it('leaves no partial write', async () => {
    await fill();
    await allowMorePages(3);
    const before = await tenantsIn(database);

    const half = database.write(async (tx) => {
      for (const id of ['half_1', 'half_2', 'half_3', 'half_4']) await insertTenant(tx, id);
    });

    await expect(half).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(await tenantsIn(database)).toEqual(before);
  });

  it('can be read in the meantime, and accepts writes again once there is space', async () => {
    const { acknowledged } = await fill();
    await Promise.allSettled([write(), write(), write()]);
    expect(await tenantsIn(database)).toEqual(acknowledged.toSorted());

    await allowMorePages(1_000);
    const written = [await write(), ...(await Promise.all([write(), write()]))];

    expect(await tenantsIn(database)).toEqual([...acknowledged, ...written].toSorted());
  });
});

it.skipIf(process.platform === 'win32')(
  'a file size limit fails writes with the reason of the system, and acknowledged writes remain',
  async () => {
    const url = `sqlite:${filename}`;
    const migrated = openDatabase(url);
    await migrated.migrate();
    await migrated.close();

    // Half a megabyte or one, which depends on the shell. The process is not ended by the signal but told by an error.
    const script = ['ulimit -f 1000 && exec "$0" "$@"', process.execPath, 'test/server/db/process.mjs', 'write', url];
    const child = spawn('sh', ['-c', ...script], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);

    expect(await ended).toEqual([1, null]);
    expect(stderr).toMatch(/SQLITE_(IOERR|FULL)/);
    expect(stderr).not.toMatch(/no transaction is active|no such savepoint/);
    const acknowledged = stdout.split('\n').slice(0, -1);
    expect(acknowledged).not.toEqual([]);
    const database = openDatabase(url);
    try {
      expect(await tenantsIn(database)).toEqual(expect.arrayContaining(acknowledged));
      expect(await pragma(database.query, 'integrity_check')).toBe('ok');
      await database.write((tx) => tx.insertInto('tenants').values({ id: 'later', name: '', created_at: '' }).execute());
      expect(await tenantsIn(database)).toContain('later');
    } finally {
      await database.close();
    }
  },
);

describe.skipIf(process.platform === 'win32')('a database file that was moved', () => {
  let database: Database;
  beforeEach(async () => {
    database = openDatabase(`sqlite:${filename}`);
    await database.migrate();
  });
  afterEach(() => database.close());
  const write = (id: string) =>
    database.write((tx) => tx.insertInto('tenants').values({ id, name: '', created_at: '' }).execute());

  it.each([
    ['deleted', () => rmSync(filename)],
    ['moved', () => renameSync(filename, `${filename}.old`)],
    [
      'replaced',
      () => {
        writeFileSync(`${filename}.backup`, '');
        renameSync(`${filename}.backup`, filename);
      },
    ],
  ])('that was %s accepts no write, alone or with others, and is not ready', async (_, away) => {
    await write('before');
    expect(await database.isMigrated()).toBe(true);
    away();

    const outcomes = [...(await Promise.allSettled([write('alone')])), ...(await Promise.allSettled([write('a'), write('b')]))];

    const moved = { status: 'rejected', reason: expect.objectContaining({ code: 'DATABASE_MOVED' }) };
    expect(outcomes).toEqual([moved, moved, moved]);
    await expect(database.isMigrated()).rejects.toMatchObject({ code: 'DATABASE_MOVED' });
    expect(await tenantsIn(database)).toEqual(['before']);
  });
});

it('a file that is not a database is rejected with its name', () => {
  writeFileSync(filename, 'No database, but a text of some length. '.repeat(100));

  expect(() => openDatabase(`sqlite:${filename}`)).toThrow(
    `expected a SQLite database at ${filename}, but: file is not a database`,
  );
});

it.skipIf(process.platform === 'win32')('a database and its side files are readable by their owner only', async () => {
  const before = process.umask(0o022);
  try {
    const database = openDatabase(`sqlite:${filename}`);
    await database.migrate();

    for (const name of [filename, `${filename}-wal`, `${filename}-shm`]) {
      expect(existsSync(name)).toBe(true);
      expect([name, (statSync(name).mode & 0o777).toString(8)]).toEqual([name, '600']);
    }
    await database.close();
  } finally {
    process.umask(before);
  }
});

it('a first migration waits for another process that holds the lock', async () => {
  const holder = new Sqlite(filename);
  holder.pragma('journal_mode = WAL');
  holder.exec('begin immediate');
  const script = `
    import { openDatabase } from './dist/server/db/database.js';
    const database = openDatabase(process.argv[1]);
    console.log('open');
    await database.migrate();
    console.log('migrated ' + (await database.isMigrated()));
    await database.close();`;
  const migration = startProcess('--input-type=module', ['--eval', script, `sqlite:${filename}`]);
  try {
    await until(() => migration.lines.includes('open'));
    // Far longer than the 20 ms after which it used to give up, far shorter than the 5 s it waits.
    const heldUntil = performance.now() + 400;
    await until(() => migration.child.exitCode !== null || performance.now() > heldUntil);
    expect(migration.lines).toEqual(['open']);
    expect(migration.child.exitCode).toBeNull();
    holder.exec('commit');

    expect(await migration.ended).toBe(0);
    expect(migration.lines).toEqual(['open', 'migrated true']);
  } finally {
    holder.close();
    migration.child.kill();
  }
});
