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
import { ensureBrowser } from './support/browser.mjs';
import { reportContract } from './interface/report.mjs';
import { checkAnswers } from './support/openapi-coverage.mjs';
import { runComponentTests, runVitest } from './support/runners.mjs';
import { asOneTest, runStep, sum } from './support/steps.mjs';

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
  const [vitestReport, componentReport, answers] = ['vitest.json', 'widget.json', 'answers'].map((name) => join(reports, name));
  mkdirSync(answers);
  // A part of the tests holds a part of the rules, and is given a part of the answers.
  const isWhole = filters.length === 0;
  return [
    asOneTest(await runStep('formatting', 'oxfmt/bin/oxfmt', ['--check', '.'])),
    asOneTest(await runStep('lint', 'oxlint/bin/oxlint', ['--type-aware', '.'])),
    asOneTest(await runStep('types', 'typescript/bin/tsc', ['-p', 'tsconfig.json'])),
    await runVitest(vitestReport, browser, filters, answers),
    ...(isWhole ? [asOneTest(await checkAnswers(answers))] : []),
    await runComponentTests(componentReport, browser),
    ...(isWhole ? [asOneTest(reportContract(vitestReport, componentReport))] : []),
  ];
}
