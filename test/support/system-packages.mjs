import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SetupError } from '../../server/setup/project.mjs';

export const isRoot = process.getuid?.() === 0;

/** The arguments of each package manager, in order of preference. */
const managers = [
  { command: 'apt-get', refresh: ['update'], install: ['install', '-y', '--no-install-recommends'] },
  { command: 'apk', install: ['add', '--no-cache'] },
  { command: 'dnf', install: ['install', '-y'] },
  { command: 'pacman', install: ['-Sy', '--noconfirm'] },
];

/**
 * Installs packages of the operating system if this process runs as root and a supported package manager exists. Failures are
 * logged, so the caller must check that the packages are installed.
 *
 * @param {string} purpose description for the log: `a C++ compiler`
 * @param {Record<string, string[]>} packages names by package manager: `{ 'apt-get': ['g++'] }`
 */
export function installSystemPackages(purpose, packages) {
  const manager = managers.find(({ command }) => isRoot && packages[command] && isOnPath(command));
  if (!manager) return;
  const { command, refresh, install } = manager;
  console.error(`Installing ${purpose} with ${command}, which takes about a minute...`);
  if (refresh) run(command, refresh);
  run(command, [...install, ...packages[command]]);
}

/**
 * Installs the packages of Debian whose programs are missing.
 *
 * @param {Record<string, string>} programs the package of each program: `{ caddy: 'caddy' }`
 * @throws SetupError - a program is still missing
 */
export function ensurePrograms(programs) {
  const isMissing = (/** @type {string} */ program) => !isOnPath(program);
  const missing = Object.keys(programs).filter(isMissing);
  if (missing.length === 0) return;
  installSystemPackages(`${missing.join(', ')}, for the tests,`, { 'apt-get': missing.map((program) => programs[program]) });
  const still = missing.filter(isMissing);
  if (still.length > 0) throw new SetupError(`The tests need ${still.join(', ')}. Install what is missing, and try again.`);
}

/** @param {string} command */
export function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, command)));
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs an installer with its output on stderr, because an installation without output looks like a hang.
 *
 * @param {string} command
 * @param {string[]} args
 */
export function run(command, args) {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2], env: environment });
  if (status !== 0) console.error(`"${[command, ...args].join(' ')}" failed with exit code ${status}.`);
}
