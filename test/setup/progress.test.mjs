/** The line that `npm test` shows on a terminal. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { Progress } from '../support/progress.mjs';

test('The progress is one line below what was printed, with the steps, the tests, the time and what runs', () => {
  vi.useFakeTimers();
  onTestFinished(() => vi.useRealTimers());
  /** The lines on the screen: a carriage return goes to the beginning of the last one, which is then erased. */
  let screen = '';
  const write = (text) => (screen = (screen + text).replaceAll(/[^\n]*\r\u001b\[2K/g, ''));
  const progress = new Progress({ columns: 60, write }, 6);

  progress.start('lint');
  expect(screen).toBe('0 of 6 steps, 0 tests passed, 0:00, lint');
  progress.finishStep();
  progress.start('tests: test/shared/money.test.ts');
  progress.add({ passed: 2 });
  progress.print('FAILED a test\n');
  progress.add({ failed: 1 });
  vi.advanceTimersByTime(61_000);
  expect(screen).toBe('FAILED a test\n1 of 6 steps, 2 tests passed, 1 failed, 1:01, tests: test/s');
  progress.stop();
  expect(screen).toBe('FAILED a test\n');
});
