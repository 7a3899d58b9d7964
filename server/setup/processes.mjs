import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { dataFolder, projectRoot, SetupError } from './project.mjs';

const STOP_CART_TIMEOUT_MS = 10_000;
const LAST_LINES = 20;
const PARENT_CHECK_MS = 250;

/**
 * @typedef {object} Child
 * @property {string} name
 * @property {Promise<void>} ended rejects with what happened as soon as the process is gone; never resolves
 * @property {() => Promise<void>} stop asks it to close, and ends it if it takes too long
 */

/**
 * Starts a long-running program of `dist/`. What it says goes to `NAME.log` in the data folder, begun anew.
 *
 * @param {string} name for people: `service`
 * @param {string[]} args a script below the project's folder, and its arguments
 * @param {Record<string, string>} environment on top of this process's own
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
    // Own process group: on Ctrl-C it receives one signal, from this process, instead of two.
    detached: process.platform !== 'win32',
  });
  closeSync(file);
  const gone = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)));
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  return {
    name,
    ended: gone.then((how) => {
      const lastWords = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n');
      throw new SetupError(
        `${lastWords}\n\nThe ${name} ended with ${how}; its last words (${relative(projectRoot, log)}) are above.`,
      );
    }),
    async stop() {
      const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_CART_TIMEOUT_MS);
      child.kill('SIGTERM');
      await gone;
      clearTimeout(impatience);
      process.off('exit', endWithUs);
    },
  };
}

/**
 * Calls `stop` when npm, which runs this process as its script `script`, was ended by a signal. npm passes the signal on to its shell
 * only. The shell ends without passing it on, which this process notices by its new parent.
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

/**
 * Runs one of the operator's commands to its end.
 *
 * @param {string[]} args      the command's words
 * @param {Record<string, string>} environment on top of this process's own
 * @returns {Promise<{ exitCode: number | null, stdout: string, stderr: string }>}
 */
export function runCommand(args, environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['dist/server/cli.js', ...args], {
      cwd: projectRoot,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) child[stream].on('data', (chunk) => (output[stream] += chunk));
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, ...output }));
  });
}

/**
 * Like `runCommand`, for a command that has to succeed.
 *
 * @param {string[]} args
 * @param {Record<string, string>} environment
 * @returns {Promise<string>} what it wrote to stdout
 */
export async function mustRun(args, environment) {
  const { exitCode, stdout, stderr } = await runCommand(args, environment);
  if (exitCode === 0) return stdout;
  throw new SetupError(
    `${stdout}${stderr}\n"npm run fairterm -- ${args.join(' ')}" failed with exit code ${exitCode}; its output is above.`,
  );
}
