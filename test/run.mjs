/**
 * `npm test`: installs what is missing, then runs every check and every test and sums them up in the last line.
 * `npm test -- test/shared` hands its words to vitest, to run some of its files alone.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../server/setup/build.mjs';
import { ensureDependencies } from '../server/setup/dependencies.mjs';
import { runEntry } from '../server/setup/project.mjs';
import { operationsToCome, refusalsToCome } from './openapi-exceptions.mjs';
import { ensureBrowser } from './support/browser.mjs';
import { givenAnswers, neverGiven } from './support/openapi-coverage.mjs';
import { outwardAddress } from './support/outward.mjs';
import { asOneTest, asRunnerCounts, headline, readCounts, readVitestCounts, runStep, sum } from './support/steps.mjs';

await runEntry(async () => {
  await ensureDependencies();
  const browser = await ensureBrowser();
  await ensureBuilt();
  const reports = mkdtempSync(join(tmpdir(), 'fairterm-report-'));
  try {
    const { line, failed } = sum(await runAll(reports, browser, process.argv.slice(2)));
    console.log(`\n${line}`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
});

/**
 * @param {string} reports a folder for the runners' counts
 * @param {string} browser
 * @param {string[]} filters for vitest
 */
async function runAll(reports, browser, filters) {
  const answers = join(reports, 'answers');
  mkdirSync(answers);
  return [
    asOneTest(await runStep('formatting', 'oxfmt/bin/oxfmt', ['--check', '.'])),
    asOneTest(await runStep('lint', 'oxlint/bin/oxlint', ['--type-aware', '.'])),
    asOneTest(await runStep('types', 'typescript/bin/tsc', ['-p', 'tsconfig.json'])),
    await runVitest(join(reports, 'vitest.json'), browser, filters, answers),
    await checkAnswers(answers, filters),
    await runComponentTests(join(reports, 'widget.json'), browser),
  ];
}

async function runVitest(report, browser, filters, answers) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '-c', 'test/vitest.config.ts', ...reporters, ...filters];
  const environment = { CHROME_PATH: browser, OPENAPI_ANSWERS: answers };
  const succeeded = await runStep('tests of the service', 'vitest/vitest.mjs', args, environment);
  return asRunnerCounts(succeeded, readVitestCounts(report));
}

/** Whether the tests, when all of them ran, were given every answer that the OpenAPI document describes. One test by itself. */
async function checkAnswers(folder, filters) {
  headline('every answer that is described');
  if (filters.length > 0) {
    console.log('skipped: not all tests ran');
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const { openApiDocument } = await import('../dist/server/openapi/document.js');
  const document = openApiDocument({ mode: 'sandbox', publicUrl: 'http://localhost', version: '0' });
  const outOfReach = outwardAddress === undefined ? ['https-required'] : [];
  const excepted = { operations: operationsToCome, refusals: [...refusalsToCome, ...outOfReach] };
  const missing = neverGiven(document, givenAnswers(folder), excepted);
  console.log(missing.length === 0 ? 'ok' : `FAILED: no test was answered ${missing.join(', ')}`);
  return asOneTest(missing.length === 0);
}

async function runComponentTests(report, browser) {
  const environment = { CHROME_PATH: browser, WTR_COUNTS_FILE: report };
  const succeeded = await runStep(
    'component tests',
    '@web/test-runner/dist/bin.js',
    ['--config', 'test/web-test-runner.config.mjs'],
    environment,
  );
  return asRunnerCounts(succeeded, readCounts(report));
}
