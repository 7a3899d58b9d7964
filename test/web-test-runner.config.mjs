import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { transformWithOxc } from 'vite';
import { browserArgs, ensureBrowser } from './support/chromium.mjs';

const rootDir = fileURLToPath(new URL('..', import.meta.url));
const countsFile = process.env.WTR_COUNTS_FILE;

/**
 * Compiles TypeScript as in the builds, with the settings of tsconfig.json.
 *
 * @type {import('@web/test-runner').TestRunnerPlugin}
 */
const typescript = {
  name: 'typescript',
  resolveMimeType: ({ path }) => (path.endsWith('.ts') ? 'js' : undefined),
  transform: async ({ path, body }) =>
    path.endsWith('.ts') ? { body: (await transformWithOxc(String(body), join(rootDir, path))).code } : undefined,
};

/** The test that each file started last, by session. */
const currentTests = new Map();

/**
 * Records the current test of each file, and names it if the file does not finish in time.
 *
 * @type {import('@web/test-runner').TestRunnerPlugin & import('@web/test-runner').Reporter}
 */
const currentTest = {
  name: 'current-test',
  transform: ({ path, body }) =>
    path.endsWith('.test.ts') ? { body: `import '/test/support/current-test.js';${String(body)}` } : undefined,
  executeCommand: ({ command, payload, session }) => command === 'test-started' && !!currentTests.set(session.id, payload),
  reportTestFileResults({ logger, sessionsForTestFile }) {
    for (const { id, testFile, errors, testResults } of sessionsForTestFile) {
      if (errors.length > 0 && !testResults)
        logger.log(`${testFile} did not finish: ${currentTests.get(id) ?? 'no test started'}`);
    }
  },
};

export default {
  rootDir,
  files: 'test/widget/**/*.test.ts',
  nodeResolve: true,
  // One page at a time: a page behind another one once stopped in the middle of a test.
  concurrency: 1,
  plugins: [currentTest, typescript],
  browsers: [chromeLauncher({ launchOptions: { executablePath: await ensureBrowser(), args: browserArgs } })],
  reporters: [
    defaultReporter({ reportTestResults: true, reportTestProgress: false }),
    currentTest,
    ...(countsFile ? [countReporter(countsFile)] : []),
  ],
  // Hides the notice of Lit's development build. Other warnings are shown.
  filterBrowserLogs: ({ args }) => !args.some((arg) => String(arg).includes('Lit is in dev mode')),
  // Longer than any test needs, so that tests do not fail on a busy machine.
  testFramework: { config: { ui: 'bdd', timeout: 30_000 } },
  testsFinishTimeout: 120_000,
};

/**
 * Returns a web-test-runner reporter that writes the numbers of passed, failed and skipped tests, and the tests.
 *
 * @param {string} file where to write the counts, as JSON
 * @returns {import('@web/test-runner').Reporter}
 */
function countReporter(file) {
  return {
    onTestRunFinished({ sessions }) {
      const tests = sessions.flatMap(({ testFile, testResults }) => (testResults ? testsIn(testResults, testFile, []) : []));
      const skipped = tests.filter((test) => test.skipped).length;
      const passed = tests.filter((test) => test.passed && !test.skipped).length;
      writeFileSync(file, JSON.stringify({ passed, failed: tests.length - passed - skipped, skipped, examples: tests }));
    },
  };
}

function testsIn({ tests, suites }, file, names) {
  const direct = tests.map(({ name, passed, skipped }) => ({ title: [...names, name].join(' '), file, passed, skipped }));
  return [...direct, ...suites.flatMap((suite) => testsIn(suite, file, [...names, suite.name]))];
}
