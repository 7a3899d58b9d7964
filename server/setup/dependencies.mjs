import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from './lock.mjs';
import { projectRoot, logProgress, SetupError } from './project.mjs';

const MIN_NODE = [20, 19];

/**
 * Environment variable with which the `prepare` script of package.json does nothing: while this module runs npm, it holds the lock that
 * the build would wait for, and its callers build afterwards.
 */
export const SKIP_PREPARE = 'FAIRTERM_SKIP_PREPARE';

/** npm's record of the installed packages. */
const INSTALLED = join('node_modules', '.package-lock.json');

/**
 * Runs npm unless the packages of package-lock.json are installed and the database driver loads.
 *
 * @param {string} [root] the folder of package-lock.json
 */
export async function ensureDependencies(root = projectRoot) {
  requireNode(process.versions.node);
  if (areDependenciesInstalled({ root })) return;
  // Not in node_modules, which npm may replace.
  await withLock(join(root, 'dist', '.lock'), async () => {
    if (!areDependenciesInstalled({ root })) await install(root);
  });
}

/**
 * Returns true if the packages of package-lock.json are installed and the database driver loads.
 *
 * @param {{ root?: string, withoutDev?: boolean }} [options] `withoutDev`: the packages of `npm ci --omit=dev` suffice
 */
export function areDependenciesInstalled({ root = projectRoot, withoutDev = false } = {}) {
  const installed = join(root, INSTALLED);
  if (!existsSync(installed)) return false;
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  return matchesLockFile(lockText, readFileSync(installed, 'utf8'), { withoutDev }) && driverLoads(root);
}

/**
 * @param {string} version for example `20.19.0`
 * @throws SetupError if that release of Node.js is too old
 */
export function requireNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = MIN_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new SetupError(`Fairterm needs Node ${MIN_NODE.join('.')} or newer; this is Node ${version}.`);
}

/**
 * Returns true if the packages that npm recorded are those of package-lock.json. Optional packages may be missing, because most of
 * them are binaries for other platforms.
 *
 * @param {string} lockText      package-lock.json
 * @param {string} installedText node_modules/.package-lock.json
 * @param {{ withoutDev?: boolean }} [options] `withoutDev`: development packages may also be missing
 */
export function matchesLockFile(lockText, installedText, { withoutDev = false } = {}) {
  const { '': _project, ...locked } = JSON.parse(lockText).packages;
  const installed = JSON.parse(installedText).packages;
  const isLocked = (path) => locked[path] !== undefined && isSame(locked[path], installed[path]);
  const mayBeMissing = ({ optional, dev, devOptional }) => optional || (withoutDev && (dev || devOptional));
  const isPresent = (path) => installed[path] !== undefined || mayBeMissing(locked[path]);
  return Object.keys(installed).every(isLocked) && Object.keys(locked).every(isPresent);
}

const isSame = (a, b) => a.version === b.version && a.integrity === b.integrity;

/** The package of `server/db/driver.ts`. */
const driver = Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3' : 'better-sqlite3-13';

/**
 * Returns true if the native driver loads. It is compiled for one release of Node.js, and npm does not report an optional package that
 * it could not compile. Runs in another process, because a native module that failed to load does not load later in the same process.
 */
function driverLoads(root) {
  const program = `new (require('${driver}'))(':memory:').close()`;
  return spawnSync(process.execPath, ['-e', program], { cwd: root, stdio: 'ignore' }).status === 0;
}

/** @param {string} root */
async function install(root) {
  logProgress('Installing the packages of package-lock.json. Compiling the database driver may take some minutes...');
  // `npm ci` deletes node_modules first, and would leave it empty if interrupted. `npm install` changes only packages that differ.
  const command = existsSync(join(root, 'node_modules')) ? ['install', '--no-save'] : ['ci'];
  // The build needs the development dependencies, also with NODE_ENV=production.
  const exitCode = await npm(root, [...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn']);
  // Compiles the driver again if it was compiled for another release of Node.js.
  if (exitCode === 0 && (driverLoads(root) || ((await npm(root, ['rebuild', driver])) === 0 && driverLoads(root)))) return;
  throw new SetupError(
    exitCode === 0
      ? `The database driver ${driver} does not load. Check that "npm config get ignore-scripts" prints false, that "npm config get omit" ` +
          'does not name optional, and that python3, make and a C++ compiler are installed.'
      : `npm failed with exit code ${exitCode}; its output is above. If it mentions node-gyp, install python3, make and a C++ compiler.`,
  );
}

/**
 * @param {string} root
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
function npm(root, args) {
  const script = process.env.npm_execpath ?? '';
  const [command, commandArgs] = basename(script) === 'npm-cli.js' ? [process.execPath, [script, ...args]] : ['npm', args];
  return new Promise((resolve, reject) => {
    // On Windows, npm is a .cmd file, which only a shell can start. Its output goes to stderr, because stdout is for that of the command.
    const shell = command === 'npm' && process.platform === 'win32';
    const env = { ...process.env, [SKIP_PREPARE]: '1' };
    const child = spawn(command, commandArgs, { cwd: root, env, shell, stdio: ['ignore', 2, 2] });
    child.on('error', (cause) =>
      reject(new SetupError(`npm could not be started (${cause.message}). Is it on the PATH?`, { cause })),
    );
    child.on('close', (code) => resolve(code ?? -1));
  });
}
