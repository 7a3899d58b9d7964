import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { Sqlite } from '../../../../server/db/driver.ts';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { testKeys } from '../../../support/data-keys.ts';
import { createDatabaseUrl, createMigratedDatabaseUrl, openTestDatabase, rowsOf } from '../../../support/databases.ts';
import { loadRelease, releasesFolder, savedRelease, tablesOf } from '../../../support/releases.ts';
import { clientOf, startService } from '../../../support/service.ts';
import { codeBlock } from '../../../support/docs.ts';
import { fairterm } from './fairterm.ts';

/** Runs the command of the guide. */
function copy(from: string, to: string) {
  const [, args] = /^fairterm (.*)\n$/.exec(codeBlock('server/docs/backup.md', 'copy'))!;
  return fairterm(args!.replace('sqlite:$DATA/live.db', from).replace('"$RESTORED_URL"', to).split(' '), { env: {} });
}

/** Returns the rows of all tables but those of migrations, in one order. */
async function sortedRowsOf(url: string) {
  // Closed, because the command cannot use a file that is open.
  const database = openDatabase(url, testKeys);
  const tables = Object.entries(await rowsOf(database)).filter(([name]) => !name.startsWith('kysely_'));
  await database.close();
  return Object.fromEntries(tables.map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).toSorted()]));
}

async function createSource(statements: string): Promise<string> {
  const url = await createMigratedDatabaseUrl('sqlite');
  change(url, statements);
  return url;
}

function change(url: string, statements: string): void {
  const opened = new Sqlite(url.slice('sqlite:'.length));
  opened.exec(statements);
  opened.close();
}

describe.skipIf(process.env['TEST_ENGINE'] === 'sqlite')('fairterm copy', () => {
  it('moves every row of a database with every kind of purchase, compares and audits them, and is not repeated', async () => {
    const saved = savedRelease(readdirSync(releasesFolder).at(-1)!);
    const from = await createDatabaseUrl('sqlite');
    await loadRelease('sqlite', from, saved);
    await fairterm(['migrate'], { databaseUrl: from });
    const to = await createDatabaseUrl('postgres');

    const { code, stdout, stderr } = await copy(from, to);

    expect([code, stderr]).toEqual([0, ['The service needs the same data keys: test']]);
    for (const [name, rows] of tablesOf(saved)) {
      const expected = `^${name} +${rows.length.toLocaleString('en-US')} +[0-9a-f]{64}$`;
      expect(stdout).toContainEqual(expect.stringMatching(expected));
    }
    expect(stdout.at(-1)).toMatch(/^Transactions: [1-9]\d*, differing from their journal: 0\./);
    const copied = await sortedRowsOf(to);
    expect(copied).toEqual(await sortedRowsOf(from));

    const again = await copy(from, to);
    expect([again.code, again.stderr]).toEqual([1, [expect.stringContaining('received one with rows in ')]]);
    expect(await sortedRowsOf(to)).toEqual(copied);

    const { publicUrl, clock } = await startService('postgres', { databaseUrl: to });
    clock.moveTo(saved.now);
    const merchant = clientOf(publicUrl, saved.merchant);
    for (const [path, body] of Object.entries(saved.responses))
      expect((await merchant.get(path)).text.replaceAll(publicUrl, '')).toBe(body);
  });

  it('has no sequences to move', async () => {
    const { query } = openTestDatabase(await createMigratedDatabaseUrl('postgres'));
    expect((await sql`select sequence_name from information_schema.sequences`.execute(query)).rows).toEqual([]);
  });

  it('names the table and the row of a value that PostgreSQL cannot store, and copies no row until it is corrected', async () => {
    const from = await createSource(`insert into tenants values ('t_1', 'Acme', 'now'), ('t_2', 'A' || char(0), 'now')`);
    const to = await createMigratedDatabaseUrl('postgres');
    const before = await sortedRowsOf(to);

    const { code, stderr } = await copy(from, to);

    expect([code, stderr]).toEqual([
      1,
      ['fairterm copy: tenants: PostgreSQL cannot store the NUL character (U+0000) in name of the row t_2'],
    ]);
    expect(await sortedRowsOf(to)).toEqual(before);
    change(from, `update tenants set name = 'A' where id = 't_2'`);
    expect((await copy(from, to)).code).toBe(0);
    expect(await sortedRowsOf(to)).toEqual(await sortedRowsOf(from));
  });

  it('rejects a database that a process uses', async () => {
    const from = await createMigratedDatabaseUrl('sqlite');
    const used = openTestDatabase(from);
    await used.isMigrated();

    const { code, stderr } = await copy(from, await createDatabaseUrl('postgres'));

    expect([code, stderr]).toEqual([1, [expect.stringContaining('but a process uses it; stop the service first')]]);
    expect(await used.isMigrated()).toBe(true);
  });

  it('rejects a target with tables of another program, without changing it', async () => {
    const to = await createDatabaseUrl('postgres');
    const target = openTestDatabase(to);
    await target.write((tx) => sql`create table visits (id text)`.execute(tx));

    const { code, stderr } = await copy(await createMigratedDatabaseUrl('sqlite'), to);

    expect([code, stderr]).toEqual([1, [expect.stringContaining('received one with the table visits')]]);
    expect(await target.isMigrated()).toBe(false);
  });

  it('names a source that does not exist', async () => {
    const { code, stderr } = await copy('sqlite:/missing/live.db', 'postgres://localhost/two');
    expect([code, stderr]).toEqual([1, ['fairterm copy: --from: expected a database at /missing/live.db, but found none']]);
  });

  it.each([
    ['--from', 'postgres://localhost/one', 'postgres://localhost/two'],
    ['--to', 'sqlite:one.db', 'sqlite:two.db'],
  ])('rejects another kind of URL of %s', async (option, from, to) => {
    const { code, stderr } = await copy(from, to);
    expect([code, stderr]).toEqual([1, [expect.stringContaining(`${option}: expected`)]]);
  });
});
