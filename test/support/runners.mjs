import { asRunnerCounts, readCounts, readVitestCounts, runStep } from './steps.mjs';

/**
 * @param {string} report  where the runner writes what it found, as JSON
 * @param {string} browser
 * @param {string[]} filters
 * @param {string} answers a folder, where the tests note which described answers they were given
 */
export async function runVitest(report, browser, filters, answers) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '-c', 'test/vitest.config.ts', ...reporters, ...filters];
  const environment = { CHROME_PATH: browser, OPENAPI_ANSWERS: answers };
  const succeeded = await runStep('tests of the service', 'vitest/vitest.mjs', args, environment);
  return asRunnerCounts(succeeded, readVitestCounts(report));
}

/**
 * @param {string} report where the runner writes what it found, as JSON
 * @param {string} browser
 */
export async function runComponentTests(report, browser) {
  const environment = { CHROME_PATH: browser, WTR_COUNTS_FILE: report };
  const succeeded = await runStep(
    'component tests',
    '@web/test-runner/dist/bin.js',
    ['--config', 'test/web-test-runner.config.mjs'],
    environment,
  );
  return asRunnerCounts(succeeded, readCounts(report));
}
