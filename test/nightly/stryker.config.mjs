/**
 * Mutation tests of the rules that compute money. Each mutant is one small change; the report lists the mutants that no test
 * detects. `npm run test:mutation` runs all of them. To test some files, run
 * `node test/nightly/node_modules/.bin/stryker run test/nightly/stryker.config.mjs --mutate 'shared/apr/*.ts'`.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: ['shared/{money,allocate,amortization,apr,as-low-as,plans,financing}.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/nightly/vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  // Tables of examples calculate while their file is loaded, so static mutants would run every example. That takes 98 % of the
  // time, and finds only mutants that single examples also detect.
  ignoreStatic: true,
  concurrency: 2,
  tempDirName: 'data/mutation/sandbox',
  // Stryker's rewriting of tsconfig.json does not work with TypeScript 7. All source folders are copied: a test file whose import
  // is missing would count as a file without tests.
  ignorePatterns: ['tsconfig.json', 'data', 'dist'],
  reporters: ['progress', 'clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false },
  htmlReporter: { fileName: 'data/mutation/report.html' },
  jsonReporter: { fileName: 'data/mutation/report.json' },
  thresholds: { high: 95, low: 90, break: 90 },
};
