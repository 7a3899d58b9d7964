import { expect, test } from 'vitest';
import { asOneTest, asRunnerCounts, sum } from '../support/steps.mjs';

test('the last line adds up every check and every test', () => {
  const all = [asOneTest(true), asOneTest(false), asRunnerCounts(true, { passed: 40, failed: 0, skipped: 0 })];
  expect(sum(all)).toEqual({ line: '41 passed, 1 failed', failed: 1 });
});

test('skipped tests are named when there are any', () => {
  expect(sum([asRunnerCounts(true, { passed: 3, failed: 0, skipped: 2 })]).line).toBe('3 passed, 0 failed, 2 skipped');
});

test.each([
  ['crashed before it reported', false, undefined, 1],
  ['failed outside of any test', false, { passed: 5, failed: 0, skipped: 0 }, 1],
  ['ran no test', true, { passed: 0, failed: 0, skipped: 0 }, 1],
  ['skipped all its tests', true, { passed: 0, failed: 0, skipped: 4 }, 1],
  ['had two failed tests', false, { passed: 5, failed: 2, skipped: 0 }, 2],
  ['passed', true, { passed: 5, failed: 0, skipped: 0 }, 0],
])('a runner that %s', (_sentence, succeeded, counts, failed) => {
  expect(asRunnerCounts(succeeded, counts).failed).toBe(failed);
});
