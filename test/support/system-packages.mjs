import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { logProgress } from '../../server/setup/project.mjs';

export const isRoot = process.getuid?.() === 0;

/** How each package manager is asked, in the order they are looked for. */
const managers = [
  { command: 'apt-get', refresh: ['update'], install: ['install', '-y', '--no-install-recommends'] },
  { command: 'apk', install: ['add', '--no-cache'] },
  { command: 'dnf', install: ['install', '-y'] },
  { command: 'pacman', install: ['-Sy', '--noconfirm'] },
];

/**
 * Installs packages of the operating system, where this process is root's and there is a package manager we know. A failure
 * is said, and left to the caller to notice.
 *
 * @param {string} purpose what they are for: `a C++ compiler`
 * @param {Record<string, string[]>} packages what each package manager calls them: `{ 'apt-get': ['g++'] }`
 */
export function installSystemPackages(purpose, packages) {
  const manager = managers.find(({ command }) => isRoot && packages[command] && isOnPath(command));
  if (!manager) return;
  const { command, refresh, install } = manager;
  logProgress(`Installing ${purpose} with ${command}, which takes about a minute...`);
  if (refresh) run(command, refresh);
  run(command, [...install, ...packages[command]]);
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
 * Runs an installer. What it says goes to stderr as it comes: an installation without a sign of life looks like a hang.
 *
 * @param {string} command
 * @param {string[]} args
 */
export function run(command, args) {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2], env: environment });
  if (status !== 0) logProgress(`"${[command, ...args].join(' ')}" failed with exit code ${status}; trying the next way.`);
}
