import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { backUpSqlite } from '../../../../server/db/backup.ts';
import { Sqlite } from '../../../../server/db/driver.ts';
import { buildProject, startProcess } from '../../../support/process.ts';
import { createDatabaseUrl, createMigratedDatabaseUrl, openTestDatabase } from '../../../support/databases.ts';
import { until } from '../../../support/time.ts';
import { fairterm, now } from './fairterm.ts';

const fileOf = (url: string) => url.slice('sqlite:'.length);
/** Creates a database, and a folder for its backup. */
async function createShop() {
  const url = await createMigratedDatabaseUrl('sqlite');
  const folder = join(dirname(fileOf(url)), 'backups');
  mkdirSync(folder);
  return { url, folder, file: join(folder, 'backup.db') };
}
const schemaOf = (file: string) => {
  const opened = new Sqlite(file, { readonly: true });
  const rows = opened.prepare('select type, name, sql from sqlite_schema where sql is not null').all();
  const ids = ['user_version', 'application_id'].map((name) => opened.pragma(name, { simple: true }));
  opened.close();
  return { rows: rows.map((row) => JSON.stringify(row)).toSorted(), ids };
};
/** Changes a database in a way that its own checks prevent. */
const spoil = (url: string, statements: string) => {
  const opened = new Sqlite(fileOf(url));
  opened.pragma('foreign_keys = off');
  opened.exec(statements);
  opened.close();
};

describe('fairterm backup', () => {
  beforeAll(buildProject);

  it('copies a database as it is at one moment, while another process writes', async () => {
    const { url, folder, file } = await createShop();
    const { child, lines: acknowledged, ended } = startProcess('test/server/db/process.mjs', ['write', url]);
    await until(() => acknowledged.length >= 100);
    const before = [...acknowledged];

    const { code, stdout, stderr } = await fairterm(['backup', file], { databaseUrl: url });

    const count = acknowledged.length;
    await until(() => acknowledged.length > count);
    child.kill('SIGKILL');
    await ended;
    const size = statSync(file).size.toLocaleString('en-US');
    expect([code, stderr]).toEqual([0, []]);
    expect(stdout).toEqual([
      expect.stringMatching(`^Backup: ${file}, ${size} bytes, in [\\d.]+ s$`),
      'Data keys that it needs, and does not contain: test',
    ]);
    expect(readdirSync(folder)).toEqual(['backup.db']);
    const copy = openTestDatabase(`sqlite:${file}`);
    const idsOf = async (table: 'tenants' | 'merchants') =>
      (await copy.query.selectFrom(table).select('id').execute()).map(({ id }) => id).toSorted();
    expect(await idsOf('tenants')).toEqual(expect.arrayContaining(before));
    // Each write adds both.
    expect(await idsOf('merchants')).toEqual(await idsOf('tenants'));
  });

  it('keeps strict tables, indexes, triggers and the ids in the header of the file, and lets only its owner read it', async () => {
    const { url, file } = await createShop();
    spoil(url, 'pragma user_version = 7; pragma application_id = 8');

    const { stdout } = await fairterm(['backup', file, '--json'], { databaseUrl: url });

    const { bytes, keyIds } = JSON.parse(stdout[0]!);
    expect([bytes, keyIds]).toEqual([statSync(file).size, ['test']]);
    expect(schemaOf(file)).toEqual(schemaOf(fileOf(url)));
    expect(schemaOf(file).ids).toEqual([7, 8]);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    // The service switches it to WAL mode when it opens it.
    expect((await fairterm(['audit'], { databaseUrl: `sqlite:${file}` })).code).toBe(0);
  });

  it('copies the write-ahead log to the file afterwards, so that the service does not pause to do it', async () => {
    const { url, file } = await createShop();
    const { query, write } = openTestDatabase(url);
    await write((tx) => tx.insertInto('tenants').values({ id: 't_1', name: 'Acme', createdAt: now }).execute());
    const frames = async () => {
      const { rows } = await sql<{ log: number; checkpointed: number }>`pragma wal_checkpoint(noop)`.execute(query);
      return rows[0]!;
    };
    expect((await frames()).checkpointed).toBe(0);

    await fairterm(['backup', file], { databaseUrl: url });

    const { log, checkpointed } = await frames();
    expect([log > 0, checkpointed]).toEqual([true, log]);
  });

  it('leaves an existing file as it is', async () => {
    const { url, folder, file } = await createShop();
    writeFileSync(file, 'yesterday');

    expect(await fairterm(['backup', file], { databaseUrl: url })).toEqual({
      code: 1,
      stdout: [],
      stderr: [`fairterm backup: FILE: expected a file that does not exist, but ${file} does`],
    });

    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['backup.db'], 'yesterday']);
  });

  it('names the file only after it was checked, and leaves nothing if it fails', async () => {
    const { url, folder, file } = await createShop();
    const steps: [title: string, isNamed: boolean][] = [];
    const start = (title: string) => {
      steps.push([title, existsSync(file)]);
      if (title === 'Checking the copy') throw new Error('disk full');
    };

    await expect(backUpSqlite(fileOf(url), file, { start })).rejects.toThrow('disk full');

    expect(steps).toEqual([
      ['Copying the database', false],
      ['Checking the copy', false],
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('rejects a damaged database', async () => {
    const { url, folder, file } = await createShop();
    spoil(url, `insert into merchant_logos (merchant_id, name, base64) values ('unknown', 'a', '')`);

    expect(await fairterm(['backup', file], { databaseUrl: url })).toMatchObject({
      code: 1,
      stderr: ['fairterm backup: The database is damaged: a row of merchant_logos refers to none'],
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not create a database', async () => {
    const url = await createDatabaseUrl('sqlite');
    const { code, stderr } = await fairterm(['backup', `${fileOf(url)}.backup`], { databaseUrl: url });
    expect([code, stderr]).toEqual([1, [expect.stringContaining('DATABASE_URL: expected a database at')]]);
    expect(existsSync(fileOf(url))).toBe(false);
  });

  it('refers to the guide on PostgreSQL', async () => {
    const { code, stderr } = await fairterm(['backup', 'backup.db'], { databaseUrl: 'postgres://localhost/fairterm' });
    expect([code, stderr]).toEqual([1, [expect.stringMatching(/pg_dump.*server\/docs\/backup\.md/)]]);
  });
});
