/**
 * Says which rules of the contract are held by which examples, and writes it all into dist/contract-report.md. `npm test` does so
 * after everything else; `npm run contract` runs the files whose titles name a rule, and then does so.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from '../../server/setup/build.mjs';
import { ensureDependencies } from '../../server/setup/dependencies.mjs';
import { projectRoot, runEntry } from '../../server/setup/project.mjs';
import { ensureBrowser } from '../support/browser.mjs';
import { compare, idsIn, readComponentExamples, readVitestExamples, summary, toMarkdown } from '../support/contract.mjs';
import { runComponentTests, runVitest } from '../support/runners.mjs';
import { rules } from './rules.mjs';

/**
 * @param {string} vitestReport    what vitest found, as JSON
 * @param {string} componentReport what the tests in the browser found, as JSON
 * @returns {boolean} whether every rule is held, and every id is that of a rule
 */
export function reportContract(vitestReport, componentReport) {
  console.log(`\n── contract ${'─'.repeat(62)}`);
  try {
    const contract = compare(rules, [...readVitestExamples(vitestReport), ...readComponentExamples(componentReport)]);
    mkdirSync(join(projectRoot, 'dist'), { recursive: true });
    writeFileSync(join(projectRoot, 'dist', 'contract-report.md'), toMarkdown(rules, contract));
    console.log(summary(contract));
    return contract.unheld.length + contract.unknown.length === 0;
  } catch (error) {
    // A runner that crashed has written nothing, and was counted already.
    console.log(`There is no report: ${error.message}`);
    return false;
  }
}

/** The test files in whose titles a rule is named. */
function filesThatNameRules() {
  return readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('widget'))
    .map((name) => join('test', name))
    .filter((name) => idsIn(readFileSync(join(projectRoot, name), 'utf8')).length > 0);
}

async function main() {
  await ensureDependencies();
  const browser = await ensureBrowser();
  await ensureBuilt();
  const reports = mkdtempSync(join(tmpdir(), 'fairterm-contract-'));
  const [vitestReport, componentReport] = [join(reports, 'vitest.json'), join(reports, 'widget.json')];
  try {
    await runVitest(vitestReport, browser, filesThatNameRules());
    await runComponentTests(componentReport, browser);
    if (!reportContract(vitestReport, componentReport)) process.exitCode = 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runEntry(main);
