/** The backup of PostgreSQL with its own tools, as in `server/docs/backup.md`. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { onCleanup } from '../support/cleanup.ts';
import { openTestDatabase, rowsOf } from '../support/databases.ts';
import { codeBlock } from '../support/docs.ts';
import { createPostgresDatabase } from '../support/postgres.ts';
import { startPostgres } from '../support/postgres-server.mjs';
import { loadRelease, releasesFolder, savedRelease } from '../support/releases.ts';
import { installSystemPackages } from '../support/system-packages.mjs';
import { fairterm } from '../server/operations/commands/fairterm.ts';

const run = promisify(execFile);

/** Versions of PostgreSQL that Debian has installed, each with its tools. */
const VERSIONS = '/usr/lib/postgresql';

async function startDebianPostgres() {
  if (!existsSync(VERSIONS)) installSystemPackages('PostgreSQL', { 'apt-get': ['postgresql'] });
  const binaries = join(VERSIONS, readdirSync(VERSIONS).at(-1)!, 'bin');
  const server = await startPostgres({ binaries });
  onCleanup(server.stop);
  return { server, binaries };
}

it('A dump of pg_dump, restored by pg_restore into an empty database, has every row and passes the audit', async () => {
  const { server, binaries } = await startDebianPostgres();
  const { url } = await createPostgresDatabase(server.url);
  const { url: restoredUrl } = await createPostgresDatabase(server.url);
  await loadRelease('postgres', url, savedRelease(readdirSync(releasesFolder).at(-1)!));
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: `${binaries}:${process.env['PATH']}`, BACKUPS: folder, RESTORED_URL: restoredUrl };
  const settings = join(folder, 'env');
  writeFileSync(settings, `MODE=sandbox\nDATABASE_URL=${url}\n`);
  const bash = (script: string) => run('bash', ['-ec', script.replace('/etc/fairterm/env', settings)], { env });

  for (const name of ['pg-dump', 'pg-restore'])
    await bash(`sudo() { shift 2; "$@"; }\n${codeBlock('server/docs/backup.md', name)}`);
  expect(statSync(join(folder, '2026-11-21.dump')).mode & 0o777).toBe(0o600);

  const [, nightly] = /^(?:\S+ ){5}fairterm (.*)\n$/.exec(codeBlock('server/docs/backup.md', 'nightly-dump'))!;
  // As cron passes it to the shell.
  await bash(nightly!.replaceAll('\\%', '%').replace('/var/backups/fairterm', folder));
  const made = readdirSync(folder).filter((name) => /^20\d\d-\d\d-\d\d\.dump$/.test(name) && name !== '2026-11-21.dump');
  expect(made.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);

  const sorted = async (databaseUrl: string) =>
    Object.entries(await rowsOf(openTestDatabase(databaseUrl))).map(([table, rows]) => [
      table,
      rows.map((row) => JSON.stringify(row)).toSorted(),
    ]);
  expect(await sorted(restoredUrl)).toEqual(await sorted(url));
  expect((await fairterm(['audit'], { databaseUrl: restoredUrl })).code).toBe(0);
});
