import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { dataFolder, projectRoot, SetupError } from './project.mjs';

const STOP_TIMEOUT_MS = 10_000;
const LAST_LINES = 20;
const PARENT_CHECK_MS = 250;

/**
 * @typedef {object} Child
 * @property {string} name
 * @property {Promise<void>} ended rejects when the process has exited; never resolves
 * @property {() => Promise<void>} stop sends SIGTERM, and SIGKILL after a timeout
 */

/**
 * Starts a long-running program of `dist/`. Its output is written to a new file `NAME.log` in the data folder.
 *
 * @param {string} name name in messages, such as `service`
 * @param {string[]} args a script below the project's folder, and its arguments
 * @param {Record<string, string>} environment in addition to that of this process
 * @returns {Child}
 */
export function startChild(name, args, environment) {
  const log = join(dataFolder, `${name}.log`);
  mkdirSync(dirname(log), { recursive: true });
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: { ...process.env, ...environment },
    stdio: ['ignore', file, file],
    // A separate process group, so that on Ctrl-C it receives one signal from this process instead of two.
    detached: process.platform !== 'win32',
  });
  closeSync(file);
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)));
  const killChild = () => child.kill('SIGKILL');
  process.once('exit', killChild);
  return {
    name,
    ended: exited.then((reason) => {
      const lastLines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n');
      throw new SetupError(
        `${lastLines}\n\nThe ${name} ended with ${reason}; the end of its log (${relative(projectRoot, log)}) is above.`,
      );
    }),
    async stop() {
      const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      child.kill('SIGTERM');
      await exited;
      clearTimeout(timeout);
      process.off('exit', killChild);
    },
  };
}

/**
 * Calls `stop` when npm, which runs this process as a script, is terminated by a signal. npm forwards the signal only to its shell, and the
 * shell does not forward it. This process detects the end of the shell by its new parent.
 *
 * @param {string} script
 * @param {() => void} stop
 */
export function onEndOfNpm(script, stop) {
  if (process.env.npm_lifecycle_event !== script) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}
