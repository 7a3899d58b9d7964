import { writeFileSync } from 'node:fs';

/**
 * A web-test-runner reporter that writes how many tests passed, failed and were skipped, and which they were.
 *
 * @param {string} file where to write the counts, as JSON
 * @returns {import('@web/test-runner').Reporter}
 */
export function countReporter(file) {
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
  const own = tests.map(({ name, passed, skipped }) => ({ title: [...names, name].join(' '), file, passed, skipped }));
  return [...own, ...suites.flatMap((suite) => testsIn(suite, file, [...names, suite.name]))];
}
