import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, SetupError } from './project.mjs';

/** The package of `server/db/driver.ts`. */
const driver = Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3' : 'better-sqlite3-13';

const COMPILER = 'To compile the database driver, npm needs python3, make and a C++ compiler.';

/** npm's record of the packages in node_modules. */
const installedFile = join(projectRoot, 'node_modules', '.package-lock.json');

/** Returns true if npm has installed packages, for example only those of production. */
export const hasPackages = () => existsSync(installedFile);

/** Runs npm unless the packages of package-lock.json are installed and the database driver loads. */
export function ensureDependencies() {
  if (areDependenciesInstalled()) return;
  // Progress is printed on stderr, because stdout is for the output of the command.
  console.error('Installing the packages of package-lock.json. Compiling the database driver may take some minutes...');
  // `npm ci` deletes node_modules first, and would leave it empty if interrupted. The build needs the development dependencies, also
  // with NODE_ENV=production.
  const exitCode = npm('install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn');
  if (exitCode !== 0) throw new SetupError(`npm failed with exit code ${exitCode}; its output is above. ${COMPILER}`);
  // Compiles the driver again if it was compiled for another release of Node.js.
  if (driverLoads() || (npm('rebuild', driver) === 0 && driverLoads())) return;
  throw new SetupError(
    `The database driver ${driver} does not load. Check that "npm config get ignore-scripts" prints false and that ` +
      `"npm config get omit" does not name optional. ${COMPILER}`,
  );
}

/** Returns true if the packages of package-lock.json are installed and the database driver loads. */
export function areDependenciesInstalled() {
  if (!hasPackages()) return false;
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  return matchesLockFile(packagesOf(join(projectRoot, 'package-lock.json')), packagesOf(installedFile)) && driverLoads();
}

/**
 * Returns true if the packages that npm recorded are those of package-lock.json. Optional packages may be missing, because most of
 * them are binaries for other platforms.
 */
export function matchesLockFile({ '': _project, ...locked }, installed) {
  const isSame = (path) => locked[path]?.integrity === installed[path].integrity;
  return Object.keys(installed).every(isSame) && Object.keys(locked).every((path) => installed[path] || locked[path].optional);
}

/**
 * Returns true if the native driver loads. It is compiled for one release of Node.js, and npm does not report an optional package that
 * it could not compile. Runs in another process, because a native module that failed to load does not load later in the same process.
 */
function driverLoads() {
  const program = `new (require('${driver}'))(':memory:').close()`;
  return spawnSync(process.execPath, ['-e', program], { cwd: projectRoot, stdio: 'ignore' }).status === 0;
}

/** Runs npm with its output on stderr, and returns its exit code. */
function npm(...args) {
  // On Windows, npm is a .cmd file, which only a shell can start.
  const options = { cwd: projectRoot, shell: process.platform === 'win32', stdio: ['ignore', 2, 2] };
  const { status, error } = spawnSync('npm', args, options);
  if (error) throw new SetupError(`npm could not be started (${error.message}). Is it on the PATH?`);
  return status;
}
