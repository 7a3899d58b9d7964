import { writeFileSync } from 'node:fs';

/**
 * Returns a web-test-runner reporter that writes the numbers of passed, failed and skipped tests, and the tests.
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
  const direct = tests.map(({ name, passed, skipped }) => ({ title: [...names, name].join(' '), file, passed, skipped }));
  return [...direct, ...suites.flatMap((suite) => testsIn(suite, file, [...names, suite.name]))];
}
