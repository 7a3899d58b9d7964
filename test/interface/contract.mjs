import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../server/setup/project.mjs';
import { rules as allRules } from './rules.mjs';

/** @typedef {import('./rules.mjs').Rule} Rule */
/** @typedef {{ title: string, file: string, passed: boolean }} Example */
/** @typedef {{ held: (Rule & { examples: Example[] })[], unheld: Rule[], unknown: { id: string, example: Example }[] }} Contract */

/** How a title names a rule, `[CART-7]`. */
const ID = /\[([A-Z]+-\d+)\]/g;

/** @param {string} text */
export function idsIn(text) {
  return [...text.matchAll(ID)].map(([, id]) => id);
}

/**
 * Compares the rules of the interface with the titles of the tests, prints the outcome and writes it to `dist/contract-report.md`.
 *
 * @param {string} vitestReport    the JSON report of vitest
 * @param {string} componentReport what `countReporter` wrote
 * @returns {boolean} whether each rule has a test that passed, and each id in a title is that of a rule
 */
export function reportContract(vitestReport, componentReport) {
  console.log(`\n── contract ${'─'.repeat(62)}`);
  try {
    const contract = compare(allRules, [...readVitestExamples(vitestReport), ...readComponentExamples(componentReport)]);
    mkdirSync(join(projectRoot, 'dist'), { recursive: true });
    writeFileSync(join(projectRoot, 'dist', 'contract-report.md'), toMarkdown(allRules, contract));
    console.log(summary(contract));
    return contract.unheld.length + contract.unknown.length === 0;
  } catch (error) {
    // A runner that crashed has written no report, which was counted already.
    console.log(`There is no report: ${error.message}`);
    return false;
  }
}

/**
 * Which rules are held by an example that passed, which are not, and which examples name a rule that there is not.
 *
 * @param {Rule[]} rules
 * @param {Example[]} examples
 * @returns {Contract}
 */
export function compare(rules, examples) {
  const known = new Set(rules.map(({ id }) => id));
  const naming = examples.flatMap((example) => idsIn(example.title).map((id) => ({ id, example })));
  const withExamples = rules.map((rule) => ({
    ...rule,
    examples: naming.filter(({ id, example }) => id === rule.id && example.passed).map(({ example }) => example),
  }));
  return {
    held: withExamples.filter(({ examples: holding }) => holding.length > 0),
    unheld: rules.filter(({ id }) => withExamples.some((rule) => rule.id === id && rule.examples.length === 0)),
    unknown: naming.filter(({ id }) => !known.has(id)),
  };
}

/**
 * What people read when it is done, in as few lines as there is something to say.
 *
 * @param {Contract} contract
 */
export function summary({ held, unheld, unknown }) {
  const count = held.length + unheld.length;
  if (unheld.length + unknown.length === 0) return `${count} rules, all held`;
  return [
    `${count} rules, ${unheld.length} not held${unknown.length > 0 ? `, ${unknown.length} unknown` : ''}`,
    ...unheld.map(({ id, rule }) => `  ${id} is held by no example that passed: ${rule}`),
    ...unknown.map(({ id, example }) => `  ${id} is no rule, but is named by "${example.title}" in ${example.file}`),
  ].join('\n');
}

/**
 * The whole contract with the examples that hold it, as Markdown.
 *
 * @param {Rule[]} rules
 * @param {Contract} contract
 */
export function toMarkdown(rules, contract) {
  const examplesOf = new Map(contract.held.map(({ id, examples }) => [id, sentences(examples)]));
  const sections = [...new Set(rules.map(({ section }) => section))];
  const rowOf = ({ id, rule }) => `| ${id} | ${cell(rule)} | ${examplesOf.get(id)?.map(cell).join('<br>') ?? '**none**'} |`;
  return [
    '# The contract, and the examples that hold it',
    summary(contract),
    ...sections.map((section) => {
      const rows = rules.filter((rule) => rule.section === section).map(rowOf);
      return [`## ${section}`, '', '| Id | Rule | Held by |', '|---|---|---|', ...rows].join('\n');
    }),
    '',
  ].join('\n\n');
}

/** Examples on both engines say the same. */
function sentences(examples) {
  const plain = (title) => title.replaceAll(/ \((sqlite|postgres)\)/g, '').replaceAll(/ ?\[[A-Z]+-\d+\]/g, '');
  return [...new Set(examples.map(({ file, title }) => `${file}: ${plain(title).slice(0, 200)}`))];
}

function cell(text) {
  return text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}

/**
 * The examples in vitest's JSON report.
 *
 * @param {string} file
 * @returns {Example[]}
 */
export function readVitestExamples(file) {
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
 * The examples that ran in the browser, in what `countReporter` wrote.
 *
 * @param {string} file
 * @returns {Example[]}
 */
export function readComponentExamples(file) {
  const { examples } = JSON.parse(readFileSync(file, 'utf8'));
  return examples.map(({ title, file: source, passed, skipped }) => ({
    title,
    file: relative(projectRoot, source),
    passed: passed && !skipped,
  }));
}
