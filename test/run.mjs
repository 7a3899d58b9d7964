/**
 * `npm test`: installs what is missing, then runs every check and every test and sums them up in the last line.
 * `npm test -- test/shared` hands its words to vitest, to run some of its files alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../server/setup/build.mjs';
import { ensureDependencies } from '../server/setup/dependencies.mjs';
import { runEntry } from '../server/setup/project.mjs';
import { ensureBrowser } from './support/browser.mjs';
import { asOneTest, asRunnerCounts, readCounts, readVitestCounts, runStep, sum } from './support/steps.mjs';

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
  return [
    asOneTest(await runStep('formatting', 'oxfmt/bin/oxfmt', ['--check', '.'])),
    asOneTest(await runStep('lint', 'oxlint/bin/oxlint', ['--type-aware', '.'])),
    asOneTest(await runStep('types', 'typescript/bin/tsc', ['-p', 'tsconfig.json'])),
    await runVitest(join(reports, 'vitest.json'), browser, filters),
    await runComponentTests(join(reports, 'widget.json'), browser),
  ];
}

async function runVitest(report, browser, filters) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '-c', 'test/vitest.config.ts', ...reporters, ...filters];
  const succeeded = await runStep('tests of the service', 'vitest/vitest.mjs', args, { CHROME_PATH: browser });
  return asRunnerCounts(succeeded, readVitestCounts(report));
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
