import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from './lock.mjs';
import { projectRoot, say, SetupError } from './project.mjs';
import { installSystemPackages, isOnPath } from './system-packages.mjs';

const OLDEST_NODE = [20, 19];
const STILL_BUSY_MS = 15_000;

/** Written after an installation that was found complete. */
const MARKER = join('node_modules', '.fairterm-installed');

/** What npm notes of the packages that it installed. */
const INSTALLED = join('node_modules', '.package-lock.json');

/**
 * Leaves `node_modules` as package-lock.json describes it. Costs a few milliseconds when it already is.
 *
 * @param {string} [root] the folder of package-lock.json
 */
export async function ensureDependencies(root = projectRoot) {
  refuseOldNode(process.versions.node);
  const { lockText, expected } = readLock(root);
  // Not in node_modules, which npm may replace.
  const lock = join(root, 'dist', '.lock');
  if (isMarked(root, expected)) return;

  await withLock(lock, async () => {
    if (isMarked(root, expected)) return;
    if (!agrees(lockText, readInstalled(root)) || !driverLoads(root)) {
      await install(root);
      if (!driverLoads(root)) {
        throw new SetupError(
          'The database driver better-sqlite3 was installed but does not load. Check that "npm config get ignore-scripts" says ' +
            'false, that "npm config get omit" does not name optional, and that python3, make and a C++ compiler are present. ' +
            'Then try again.',
        );
      }
    }
    writeFileSync(join(root, MARKER), expected);
  });
}

/**
 * Whether the packages that package-lock.json asks for are installed, and the database driver loads.
 *
 * @param {{ root?: string, withoutDev?: boolean }} [options] `withoutDev`: those that run the service suffice, as `npm ci --omit=dev`
 *   installs them
 */
export function areDependenciesInstalled({ root = projectRoot, withoutDev = false } = {}) {
  const { lockText, expected } = readLock(root);
  if (isMarked(root, expected)) return true;
  return agrees(lockText, readInstalled(root), { withoutDev }) && driverLoads(root);
}

function readLock(root) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  return { lockText, expected: markerFor(lockText, process.versions.modules, `${process.platform}-${process.arch}`) };
}

/**
 * @param {string} version for example `20.19.0`
 */
export function refuseOldNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new SetupError(`Fairterm needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${version}.`);
}

/**
 * What is written into `node_modules` after an installation. Another lock file, Node or machine gives another text.
 *
 * @param {string} lockText package-lock.json
 * @param {string} nodeAbi  `process.versions.modules`: native packages are compiled for one
 * @param {string} platform for example `linux-x64`
 */
export function markerFor(lockText, nodeAbi, platform) {
  return createHash('sha256').update(`${nodeAbi}\n${platform}\n${lockText}`).digest('hex');
}

/**
 * Whether what npm noted inside `node_modules` is what package-lock.json asks for. Optional packages may be absent:
 * most of them are binaries for other machines.
 *
 * @param {string} lockText      package-lock.json
 * @param {string} installedText node_modules/.package-lock.json, or nothing
 * @param {{ withoutDev?: boolean }} [options] `withoutDev`: packages for development alone may be absent, too
 */
export function agrees(lockText, installedText, { withoutDev = false } = {}) {
  if (installedText === '') return false;
  const { '': _project, ...wanted } = JSON.parse(lockText).packages;
  const installed = JSON.parse(installedText).packages;
  const isWanted = (path) => wanted[path] !== undefined && sameSource(wanted[path], installed[path]);
  const mayBeAbsent = ({ optional, dev, devOptional }) => optional || (withoutDev && (dev || devOptional));
  const isPresent = (path) => installed[path] !== undefined || mayBeAbsent(wanted[path]);
  return Object.keys(installed).every(isWanted) && Object.keys(wanted).every(isPresent);
}

function sameSource(one, other) {
  return one.version === other.version && one.integrity === other.integrity;
}

function isMarked(root, expected) {
  const [marker, installed] = [MARKER, INSTALLED].map((path) => statSync(join(root, path), { throwIfNoEntry: false }));
  // What npm changed since, such as `npm prune --omit=dev`, the marker does not describe.
  if (!marker || !installed || marker.mtimeMs < installed.mtimeMs) return false;
  return readFileSync(join(root, MARKER), 'utf8') === expected;
}

function readInstalled(root) {
  const path = join(root, INSTALLED);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function driverLoads(root) {
  // In a process of its own: a native module that failed to load stays failed for the life of the process.
  // As server/db/driver.ts has it, which is not built yet.
  const driver = Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3' : 'better-sqlite3-13';
  const program = `new (require('${driver}'))(':memory:').close()`;
  return spawnSync(process.execPath, ['-e', program], { cwd: root, stdio: 'ignore' }).status === 0;
}

/** What compiles the database driver on machines that no binary of it is made for, or that cannot fetch one. */
const compiler = {
  'apt-get': ['python3', 'make', 'g++'],
  apk: ['python3', 'make', 'g++'],
  dnf: ['python3', 'make', 'gcc-c++'],
  pacman: ['python', 'make', 'gcc'],
};

function canCompile() {
  return isOnPath('python3') && isOnPath('make') && ['c++', 'g++', 'clang++'].some(isOnPath);
}

/** @param {string} root */
async function install(root) {
  say(
    'Installing dependencies from package-lock.json. The database driver may have to be compiled, which takes about three minutes...',
  );
  const startedAtMs = Date.now();
  const seconds = () => Math.round((Date.now() - startedAtMs) / 1000);
  const heartbeat = setInterval(() => say(`  still installing, ${seconds()} s so far`), STILL_BUSY_MS);
  const { exitCode, output } = await npmInstall(root).finally(() => clearInterval(heartbeat));
  if (exitCode !== 0) {
    say(output);
    throw new SetupError(
      `The installation by npm failed with exit code ${exitCode}; its output is above. Check that the npm registry can be reached and, ` +
        `if the output speaks of node-gyp, that python3, make and a C++ compiler are installed.${output.includes('gyp') ? inTheWayOfMake(root) : ''} Then try again.`,
    );
  }
  say(`Dependencies installed in ${seconds()} s.`);
}

/**
 * What to say of a folder in which the driver cannot be compiled: its rules for make hand these signs to a shell. Spaces and all others
 * do no harm.
 *
 * @param {string} root
 */
export function inTheWayOfMake(root) {
  const [sign] = /['"`()$]/.exec(root) ?? [];
  return sign ? ` The driver cannot be compiled in a folder with ${sign} in its path: ${root}. Move it elsewhere.` : '';
}

/** Runs npm, and once more with a compiler if it failed for lack of one. */
async function npmInstall(root) {
  const ended = await runNpm(root);
  if (ended.exitCode === 0 || canCompile() || !ended.output.includes('gyp')) return ended;
  installSystemPackages('a C++ compiler, for the database driver,', compiler);
  return canCompile() ? runNpm(root) : ended;
}

/**
 * @param {string} root
 * @returns {Promise<{ exitCode: number, output: string }>}
 */
function runNpm(root) {
  // The build needs the development dependencies whatever NODE_ENV says, and a quiet `npm start -s` must not silence errors.
  // `npm ci` empties node_modules first, and would leave it empty when it is interrupted. Over what is there, `npm install` changes
  // only what differs from package-lock.json.
  const words = existsSync(join(root, 'node_modules')) ? ['install', '--no-save'] : ['ci'];
  const options = [...words, '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn'];
  const npm = process.env.npm_execpath ?? '';
  const [command, args] = basename(npm) === 'npm-cli.js' ? [process.execPath, [npm, ...options]] : ['npm', options];
  return new Promise((resolve, reject) => {
    // npm is a .cmd on Windows, which only a shell can start.
    const shell = command === 'npm' && process.platform === 'win32';
    const child = spawn(command, args, { cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => (output += chunk);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (cause) =>
      reject(new SetupError(`npm could not be started (${cause.message}). Is it on the PATH?`, { cause })),
    );
    child.on('close', (code, signal) =>
      resolve({ exitCode: code ?? -1, output: signal ? `${output}\n(ended by ${signal})` : output }),
    );
  });
}
