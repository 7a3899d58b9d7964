import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { projectRoot } from '../../server/setup/project.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @param {string} title of a step */
export function headline(title) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 70 - title.length))}`);
}

/**
 * Runs one command under a headline, its output shown as it comes.
 *
 * @param {string} title
 * @param {string} script   a command line tool, as a path below node_modules
 * @param {string[]} args
 * @param {Record<string, string>} [environment] on top of this process's own
 * @returns {Promise<boolean>} whether it ended with exit code 0
 */
export async function runStep(title, script, args, environment = {}) {
  headline(title);
  const startedAtMs = Date.now();
  const child = spawn(process.execPath, [`node_modules/${script}`, ...args], {
    cwd: projectRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  console.log(exitCode === 0 ? `ok (${seconds} s)` : `FAILED with ${exitCode} (${seconds} s)`);
  return exitCode === 0;
}

/**
 * A step that is one test by itself.
 *
 * @param {boolean} succeeded
 * @returns {Counts}
 */
export function asOneTest(succeeded) {
  return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
}

/**
 * What a test runner counted. A runner that failed without a failed test (a file that does not load, a crash, an error
 * outside of any test) or that ran no test at all counts as one failure.
 *
 * @param {boolean} succeeded whether the runner ended with exit code 0
 * @param {Counts | undefined} counts what it reported, if it came that far
 * @returns {Counts}
 */
export function asRunnerCounts(succeeded, counts = { passed: 0, failed: 0, skipped: 0 }) {
  const ranSomething = counts.passed + counts.failed > 0;
  const unexplained = counts.failed === 0 && (!succeeded || !ranSomething);
  return { ...counts, failed: counts.failed + (unexplained ? 1 : 0) };
}

/**
 * @param {string} file vitest's JSON report
 * @returns {Counts | undefined}
 */
export function readVitestCounts(file) {
  const report = readCounts(file);
  return (
    report && {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  );
}

/** @param {string} file */
export function readCounts(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * The closing line that people and machines read.
 *
 * @param {Counts[]} all
 * @returns {{ line: string, failed: number }}
 */
export function sum(all) {
  const total = (key) => all.reduce((count, counts) => count + counts[key], 0);
  const [passed, failed, skipped] = [total('passed'), total('failed'), total('skipped')];
  return { line: `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`, failed };
}
