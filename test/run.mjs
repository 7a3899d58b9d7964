/**
 * `npm test`: installs missing dependencies, checks format, lint, types and imports, runs every test, and prints the totals in the last line.
 * `npm test -- test/shared` passes its arguments to vitest and runs only the matching files.
 *
 * On a terminal, it shows its progress in one line, and prints only what failed. Otherwise it prints the output of every step.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../server/setup/build.mjs';
import { ensureDependencies } from '../server/setup/dependencies.mjs';
import { projectRoot, runEntry } from '../server/setup/project.mjs';
import { reportContract } from './interface/contract.mjs';
import { checkResponses } from './server/http/openapi/coverage.mjs';
import { ensureBrowser } from './support/chromium.mjs';
import { ensurePromtool } from './support/prometheus.mjs';
import { Progress } from './support/progress.mjs';

const checks = {
  format: ['oxfmt/bin/oxfmt', '--check', '.'],
  lint: ['oxlint/bin/oxlint', '--type-aware', '.'],
  types: ['typescript/bin/tsc', '-p', 'tsconfig.json'],
  imports: [
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.mjs',
    'server',
    'shared',
    'widget',
    'demo',
  ],
};

const NO_TESTS = { passed: 0, failed: 0, skipped: 0 };

/**
 * Undefined if the output is not a terminal.
 *
 * @type {Progress | undefined}
 */
let progress;

await runEntry(async () => {
  ensureDependencies();
  const browser = await ensureBrowser();
  ensurePromtool();
  await ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-report-'));
  try {
    const { passed, failed, skipped } = await runAll(folder, browser, process.argv.slice(2));
    console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * Runs the checks and the tests, and returns their totals. Each check counts as one test.
 *
 * @param {string} folder   for reports
 * @param {string} browser
 * @param {string[]} args   for vitest
 */
async function runAll(folder, browser, args) {
  const isComplete = args.length === 0;
  // The checks, the tests, the component tests, and two comparisons of a complete run.
  if (process.stdout.isTTY) progress = new Progress(process.stdout, Object.keys(checks).length + (isComplete ? 4 : 2));
  const report = join(folder, 'vitest.json');
  const responses = join(folder, 'responses');
  mkdirSync(responses);
  const outcomes = [];
  for (const [title, [script, ...options]] of Object.entries(checks)) outcomes.push(await run(title, script, options));

  const shown = progress ? ['minimal', './test/support/progress-reporter.mjs'] : ['default', './test/support/running-tests.mjs'];
  const reporters = [...shown, 'json'].map((name) => `--reporter=${name}`);
  reporters.push(`--outputFile.json=${report}`);
  const vitestArgs = ['run', '-c', 'test/vitest.config.ts', ...reporters, ...args];
  const succeeded = await run('tests', 'vitest/vitest.mjs', vitestArgs, { CHROME_PATH: browser, OPENAPI_RESPONSES: responses });
  const counts = vitestCounts(report);
  // A file that does not load, or an error outside of any test, fails the run without a failed test.
  if (succeeded === counts.failed > 0 || counts.passed === 0) outcomes.push(false);

  const componentReport = join(folder, 'components.json');
  const config = ['--config', 'test/web-test-runner.config.mjs'];
  const runner = '@web/test-runner/dist/bin.js';
  const componentsSucceeded = await run('component tests', runner, config, {
    CHROME_PATH: browser,
    WTR_COUNTS_FILE: componentReport,
  });
  const components = existsSync(componentReport) ? readJson(componentReport) : NO_TESTS;
  progress?.add(components);
  if (componentsSucceeded === components.failed > 0 || components.passed === 0) outcomes.push(false);

  // Only a complete run covers every rule and every response.
  if (isComplete) {
    outcomes.push(
      await compare('documented responses', (print) => checkResponses(responses, print)),
      await compare('contract', (print) => reportContract(report, componentReport, print)),
    );
  }
  progress?.stop();
  const passedChecks = outcomes.filter(Boolean).length;
  return {
    passed: counts.passed + components.passed + passedChecks,
    failed: counts.failed + components.failed + outcomes.length - passedChecks,
    skipped: counts.skipped + components.skipped,
  };
}

/** @param {string} report the JSON report of vitest */
function vitestCounts(report) {
  if (!existsSync(report)) return NO_TESTS;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = readJson(report);
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Compares what the tests have covered with what they should. Its lines are printed below its title, on a terminal only if it fails.
 *
 * @param {string} title
 * @param {(print: (line: string) => void) => boolean | Promise<boolean>} check
 * @returns {Promise<boolean>} whether it succeeded
 */
async function compare(title, check) {
  const lines = [heading(title)];
  progress?.start(title);
  const succeeded = await check((line) => lines.push(line));
  if (!progress) console.log(lines.join('\n'));
  else if (!succeeded) progress.print(lines.join('\n'));
  progress?.finishStep();
  return succeeded;
}

/**
 * Runs a command line tool. Its output is shown, on a terminal only if it fails.
 *
 * @param {string} title
 * @param {string} script      a path below node_modules
 * @param {string[]} args
 * @param {Record<string, string>} [environment]
 * @returns {Promise<boolean>} whether it exited with code 0
 */
async function run(title, script, args, environment = {}) {
  if (progress) progress.start(title);
  else console.log(heading(title));
  const startedAtMs = Date.now();
  const env = { ...process.env, ...(progress && { FORCE_COLOR: '1' }), ...environment };
  const stdio = progress ? ['ignore', 'pipe', 'pipe', 'ipc'] : 'inherit';
  const child = spawn(process.execPath, [`node_modules/${script}`, ...args], { cwd: projectRoot, env, stdio });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  child.on('message', ({ running, title: failedTest, ...tests }) => {
    if (failedTest) progress?.print(`FAILED ${failedTest}`);
    if (running) progress?.start(`${title}: ${running}`);
    else progress?.add(tests);
  });
  const exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  const outcome = exitCode === 0 ? `ok (${seconds} s)` : `FAILED with ${exitCode} (${seconds} s)`;
  if (!progress) console.log(outcome);
  else if (exitCode !== 0) progress.print(`${heading(title)}\n${output.trimEnd()}\n${outcome}`);
  progress?.finishStep();
  return exitCode === 0;
}

/** @param {string} title */
function heading(title) {
  return `\n── ${title} ${'─'.repeat(Math.max(0, 70 - title.length))}`;
}
