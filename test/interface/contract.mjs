import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { projectRoot } from '../../server/setup/project.mjs';
import { rules as allRules } from './rules.mjs';

/** @typedef {import('./rules.mjs').Rule} Rule */
/** @typedef {{ title: string, file: string, passed: boolean }} Example */
/** @typedef {{ covered: (Rule & { examples: Example[] })[], uncovered: Rule[], unknown: { id: string, example: Example }[] }} Contract */

/** Matches the id of a rule in a title, for example `[CART-7]`. */
const ID = /\[([A-Z]+-\d+)\]/g;

/** @param {string} text */
export function idsIn(text) {
  return [...text.matchAll(ID)].map(([, id]) => id);
}

/**
 * Compares the rules of the interface with the test titles, and prints the result.
 *
 * @param {string} vitestReport    JSON report of vitest
 * @param {string} componentReport JSON report of `countReporter`
 * @param {(line: string) => void} print
 * @returns {boolean} whether each rule has a test that passed, and each id in a title is the id of a rule
 */
export function reportContract(vitestReport, componentReport, print) {
  try {
    const contract = compare(allRules, [...readVitestExamples(vitestReport), ...readComponentExamples(componentReport)]);
    print(summary(contract));
    return contract.uncovered.length + contract.unknown.length === 0;
  } catch (error) {
    // A test runner that crashed writes no report. Its failure has already been counted.
    print(`The report is missing: ${error.message}`);
    return false;
  }
}

/**
 * Determines which rules are covered by an example that passed, which are not, and which examples name an unknown rule.
 *
 * @param {Rule[]} rules
 * @param {Example[]} examples
 * @returns {Contract}
 */
export function compare(rules, examples) {
  const known = new Set(rules.map(({ id }) => id));
  const references = examples.flatMap((example) => idsIn(example.title).map((id) => ({ id, example })));
  const withExamples = rules.map((rule) => ({
    ...rule,
    examples: references.filter(({ id, example }) => id === rule.id && example.passed).map(({ example }) => example),
  }));
  return {
    covered: withExamples.filter(({ examples: passed }) => passed.length > 0),
    uncovered: rules.filter(({ id }) => withExamples.some((rule) => rule.id === id && rule.examples.length === 0)),
    unknown: references.filter(({ id }) => !known.has(id)),
  };
}

/**
 * Returns a summary, with a line for each problem.
 *
 * @param {Contract} contract
 */
export function summary({ covered, uncovered, unknown }) {
  const count = covered.length + uncovered.length;
  if (uncovered.length + unknown.length === 0) return `${count} rules, all covered`;
  return [
    `${count} rules, ${uncovered.length} not covered${unknown.length > 0 ? `, ${unknown.length} unknown` : ''}`,
    ...uncovered.map(({ id, rule }) => `  ${id} is covered by no example that passed: ${rule}`),
    ...unknown.map(({ id, example }) => `  ${id} is not the id of a rule, but occurs in "${example.title}" in ${example.file}`),
  ].join('\n');
}

/**
 * Returns the examples in vitest's JSON report.
 *
 * @param {string} file
 * @returns {Example[]}
 */
function readVitestExamples(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      title: fullName,
      file: relative(projectRoot, name),
      passed: status === 'passed',
    })),
  );
}

/**
 * Returns the examples that ran in the browser, as reported by `countReporter`.
 *
 * @param {string} file
 * @returns {Example[]}
 */
function readComponentExamples(file) {
  const { examples } = JSON.parse(readFileSync(file, 'utf8'));
  return examples.map(({ title, file: source, passed, skipped }) => ({
    title,
    file: relative(projectRoot, source),
    passed: passed && !skipped,
  }));
}
