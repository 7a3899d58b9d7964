import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Sqlite } from '../../../server/db/driver.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database, Query, Tx } from '../../../server/db/database.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { buildProject, startProcess } from '../../support/process.ts';
import { until } from '../../support/time.ts';
import { testKeys } from '../../support/data-keys.ts';

const createdAt = '2026-11-21T09:30:00.000000Z';
const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));

let folder: string;
let filename: string;
beforeAll(buildProject);
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

describe('A full disk', () => {
  let database: Database;
  let nextId: number;
  beforeEach(async () => {
    database = openDatabase(`sqlite:${filename}`, testKeys);
    await database.migrate();
    nextId = 1;
  });
  afterEach(() => database.close());

  /** Limits the size of the file. SQLite handles this limit like a full disk. */
  const limitPages = (pages: number) => database.write((tx) => pragma(tx, `max_page_count = ${pages}`));
  const allowMorePages = async (pages: number) =>
    limitPages(Number(await database.write((tx) => pragma(tx, 'page_count'))) + pages);
  /** Inserts a row of more than one page. */
  const insertTenant = (tx: Tx, id: string) =>
    tx
      .insertInto('tenants')
      .values({ id, name: 'x'.repeat(6_000), createdAt: '2026-11-21T09:30:00.000000Z' })
      .execute();
  const write = () => {
    const id = `t_${nextId++}`;
    return database.write((tx) => insertTenant(tx, id)).then(() => id);
  };
  /** Writes sequentially until the disk is full. */
  const fill = async () => {
    const acknowledged: string[] = [];
    await allowMorePages(20);
    for (;;) {
      const [outcome] = await Promise.allSettled([write()]);
      if (outcome.status === 'rejected') return { acknowledged, failure: outcome.reason as unknown };
      acknowledged.push(outcome.value);
    }
  };

  const full = { code: 'database-unavailable', cause: expect.objectContaining({ code: 'SQLITE_FULL' }) };

  it('rejects a write, and every later write', async () => {
    const { acknowledged, failure } = await fill();

    expect(acknowledged).not.toEqual([]);
    expect(failure).toMatchObject(full);
    for (let times = 0; times < 3; times++) await expect(write()).rejects.toMatchObject(full);
  });

  it('rejects each of several concurrent writes', async () => {
    await fill();

    const outcomes = await Promise.allSettled([write(), write(), write()]);

    const rejected = { status: 'rejected', reason: expect.objectContaining(full) };
    expect(outcomes).toEqual([rejected, rejected, rejected]);
  });

  it('leaves no partial write in the database', async () => {
    await fill();
    await allowMorePages(3);
    const before = await tenantsIn(database);

    const partialWrite = database.write(async (tx) => {
      for (const id of ['half_1', 'half_2', 'half_3', 'half_4']) await insertTenant(tx, id);
    });

    await expect(partialWrite).rejects.toMatchObject(full);
    expect(await tenantsIn(database)).toEqual(before);
  });

  it('leaves exactly the acknowledged writes, which can be read, and writes succeed again once there is space', async () => {
    const { acknowledged } = await fill();
    await Promise.allSettled([write(), write(), write()]);
    expect(await tenantsIn(database)).toEqual(acknowledged.toSorted());
    expect(await pragma(database.query, 'integrity_check')).toBe('ok');

    await allowMorePages(1_000);
    const written = [await write(), ...(await Promise.all([write(), write()]))];

    expect(await tenantsIn(database)).toEqual([...acknowledged, ...written].toSorted());
  });
});

it.skipIf(!existsSync('/proc/self/fd'))('A disk that cannot be read makes reads fail as unavailable', async () => {
  const database = openDatabase(`sqlite:${filename}`, testKeys);
  try {
    await database.migrate();
    await database.truncateLog();
    expect(await tenantsIn(database)).toEqual([]);
    // Each descriptor of the file becomes one of a folder, which cannot be read. SQLite closes it in the end.
    const descriptors = readdirSync('/proc/self/fd').filter((descriptor) => {
      const link = `/proc/self/fd/${descriptor}`;
      return existsSync(link) && readlinkSync(link) === filename;
    });
    for (const descriptor of descriptors) {
      closeSync(Number(descriptor));
      expect(openSync(folder, 'r')).toBe(Number(descriptor));
    }
    expect(descriptors).toHaveLength(2);

    await expect(database.query.selectFrom('exceptions').selectAll().execute()).rejects.toMatchObject({
      code: 'database-unavailable',
      cause: expect.objectContaining({ code: 'SQLITE_IOERR_READ' }),
    });
  } finally {
    await database.close();
  }
});

it.skipIf(process.platform === 'win32')(
  'A file size limit of the system makes writes fail, and acknowledged writes remain',
  async () => {
    const url = `sqlite:${filename}`;
    const migrated = openDatabase(url, testKeys);
    await migrated.migrate();
    await migrated.close();

    // 1,000 blocks are 0.5 or 1 MB, depending on the shell. Node.js ignores SIGXFSZ, so writes fail with an error.
    const script = ['ulimit -f 1000 && exec "$0" "$@"', process.execPath, 'test/server/db/process.mjs', 'write', url];
    const child = spawn('sh', ['-c', ...script], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);

    expect(await ended).toEqual([1, null]);
    expect(stderr).toMatch(/SQLITE_(IOERR|FULL)/);
    expect(stderr).not.toMatch(/no transaction is active|no such savepoint/);
    const acknowledged = stdout.split('\n').slice(0, -1);
    expect(acknowledged).not.toEqual([]);
    const database = openDatabase(url, testKeys);
    try {
      expect(await tenantsIn(database)).toEqual(expect.arrayContaining(acknowledged));
      expect(await pragma(database.query, 'integrity_check')).toBe('ok');
      await database.write((tx) => tx.insertInto('tenants').values({ id: 'later', name: '', createdAt }).execute());
      expect(await tenantsIn(database)).toContain('later');
    } finally {
      await database.close();
    }
  },
);

describe.skipIf(process.platform === 'win32')('A database file', () => {
  let database: Database;
  beforeEach(async () => {
    database = openDatabase(`sqlite:${filename}`, testKeys);
    await database.migrate();
  });
  afterEach(() => database.close());
  const write = (id: string) => database.write((tx) => tx.insertInto('tenants').values({ id, name: '', createdAt }).execute());

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
  ])('that was %s accepts no single or concurrent writes, and is not ready', async (_title, removeFile) => {
    await write('before');
    expect(await database.isMigrated()).toBe(true);
    removeFile();

    const outcomes = [...(await Promise.allSettled([write('single')])), ...(await Promise.allSettled([write('a'), write('b')]))];

    const cause = expect.objectContaining({ code: 'DATABASE_MOVED' });
    const rejectedWrite = { status: 'rejected', reason: expect.objectContaining({ code: 'database-unavailable', cause }) };
    expect(outcomes).toEqual([rejectedWrite, rejectedWrite, rejectedWrite]);
    await expect(database.isMigrated()).rejects.toMatchObject({ code: 'DATABASE_MOVED' });
    expect(await tenantsIn(database)).toEqual(['before']);
  });
});

it('A file that is not a database is rejected with its name', () => {
  writeFileSync(filename, 'This is not a database. '.repeat(100));

  expect(() => openDatabase(`sqlite:${filename}`, testKeys)).toThrow(
    `expected a SQLite database at ${filename}, but: file is not a database`,
  );
});

it.skipIf(process.platform === 'win32')('A database and its WAL files are readable only by their owner', async () => {
  const previousUmask = process.umask(0o022);
  try {
    const database = openDatabase(`sqlite:${filename}`, testKeys);
    await database.migrate();

    for (const name of [filename, `${filename}-wal`, `${filename}-shm`]) {
      expect(existsSync(name)).toBe(true);
      expect([name, (statSync(name).mode & 0o777).toString(8)]).toEqual([name, '600']);
    }
    await database.close();
  } finally {
    process.umask(previousUmask);
  }
});

it('A first migration waits for the lock of another process', async () => {
  const holder = new Sqlite(filename);
  holder.pragma('journal_mode = WAL');
  holder.exec('begin immediate');
  const script = `
    import { openDatabase } from './dist/server/db/open-database.js';
    import { parseKeyRing } from './dist/server/base/key-ring.js';
    const database = openDatabase(process.argv[1], () => parseKeyRing(process.env.DATA_KEYS, 'DATA_KEYS'));
    console.log('open');
    await database.migrate();
    console.log('migrated ' + (await database.isMigrated()));
    await database.close();`;
  const migration = startProcess('--input-type=module', ['--eval', script, `sqlite:${filename}`]);
  try {
    await until(() => migration.lines.includes('open'));
    // Shorter than the 5 s for which the migration waits.
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
