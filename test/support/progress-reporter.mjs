/**
 * Vitest reporter that sends the file that started last, the result of each test and the titles of failed ones to the process that started
 * vitest, which shows them as its progress.
 *
 * @type {import('vitest/reporters').Reporter}
 */
export default class ProgressReporter {
  onTestModuleStart({ relativeModuleId }) {
    process.send?.({ running: relativeModuleId });
  }
  onTestCaseResult(test) {
    const { state } = test.result();
    if (state === 'passed') process.send?.({ passed: 1 });
    if (state === 'failed') process.send?.({ failed: 1, title: `${test.module.relativeModuleId} > ${test.fullName}` });
  }
}
