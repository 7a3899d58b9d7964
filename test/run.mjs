/**
 * `npm test`: installs missing dependencies, checks format, lint, types and imports, runs every test, and prints the totals in the last line.
 * `npm test -- test/shared` passes its arguments to vitest and runs only the matching files.
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

await runEntry(async () => {
  ensureDependencies();
  const browser = await ensureBrowser();
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
  const report = join(folder, 'vitest.json');
  const responses = join(folder, 'responses');
  mkdirSync(responses);
  const outcomes = [];
  for (const [title, [script, ...options]] of Object.entries(checks)) outcomes.push(await run(title, script, options));

  const reporters = [
    '--reporter=default',
    '--reporter=./test/support/running-tests.mjs',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
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
  if (componentsSucceeded === components.failed > 0 || components.passed === 0) outcomes.push(false);

  // Only a complete run covers every rule and every response.
  if (isComplete) outcomes.push(await checkResponses(responses), reportContract(report, componentReport));
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
 * Runs a command line tool with its output shown.
 *
 * @param {string} title
 * @param {string} script      a path below node_modules
 * @param {string[]} args
 * @param {Record<string, string>} [environment]
 * @returns {Promise<boolean>} whether it exited with code 0
 */
async function run(title, script, args, environment = {}) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 70 - title.length))}`);
  const startedAtMs = Date.now();
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [`node_modules/${script}`, ...args], { cwd: projectRoot, env, stdio: 'inherit' });
  const exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  console.log(exitCode === 0 ? `ok (${seconds} s)` : `FAILED with ${exitCode} (${seconds} s)`);
  return exitCode === 0;
}
