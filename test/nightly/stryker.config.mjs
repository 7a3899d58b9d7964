/**
 * Mutation tests of the rules that compute money: each mutant is one small change, and the report lists the mutants that no test
 * kills. `npm run test:mutation` runs all of them. For some files, run
 * `node test/nightly/node_modules/.bin/stryker run test/nightly/stryker.config.mjs --mutate 'shared/apr/*.ts'`.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: ['shared/{money,allocate,amortization,as-low-as,plans,financing}.ts', 'shared/apr/**/*.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/nightly/vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  // Tables of examples quote while their file is loaded, for which each change would have to meet every example: 98 % of the
  // time, and all of it spent on changes that a single example notices too.
  ignoreStatic: true,
  concurrency: 2,
  tempDirName: 'dist/mutation/sandbox',
  // Stryker rewrites a tsconfig.json that it finds, for which it asks TypeScript 7 in vain. All rooms are copied: a test file
  // that misses something it imports would pass for a file without tests.
  ignorePatterns: ['tsconfig.json', 'data', 'dist'],
  reporters: ['progress', 'clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false },
  htmlReporter: { fileName: 'dist/mutation/report.html' },
  jsonReporter: { fileName: 'dist/mutation/report.json' },
  thresholds: { high: 95, low: 90, break: 90 },
};
