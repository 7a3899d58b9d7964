import { writeFileSync } from 'node:fs';

/**
 * A web-test-runner reporter that writes how many tests passed, failed and were skipped.
 *
 * @param {string} file where to write the counts, as JSON
 * @returns {import('@web/test-runner').Reporter}
 */
export function countReporter(file) {
  return {
    onTestRunFinished({ sessions }) {
      const tests = sessions.flatMap(({ testResults }) => (testResults ? testsIn(testResults) : []));
      const skipped = tests.filter((test) => test.skipped).length;
      const passed = tests.filter((test) => test.passed && !test.skipped).length;
      writeFileSync(file, JSON.stringify({ passed, failed: tests.length - passed - skipped, skipped }));
    },
  };
}

function testsIn(suite) {
  return [...suite.tests, ...suite.suites.flatMap(testsIn)];
}
