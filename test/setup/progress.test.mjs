/** The progress of long work, and that of `npm test`. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Progress } from '../../server/base/progress.js';
import { Progress as TestProgress } from '../support/progress.mjs';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => vi.useRealTimers());
});

/** Returns a terminal, and a function that returns the lines on its screen: a carriage return goes to the beginning of the last one, which is then erased. */
function openTerminal() {
  let screen = '';
  const write = (text) => (screen = (screen + text).replaceAll(/[^\n]*\r\u001b\[2K/g, ''));
  return { terminal: { columns: 60, isTTY: true, write }, screen: () => screen };
}

test('On a terminal, the progress is one line with the count of all, the rate, the elapsed time and what runs', () => {
  const { terminal, screen } = openTerminal();
  const progress = new Progress(terminal);

  progress.start('Rotating');
  expect(screen()).toBe('0:00, Rotating');
  vi.advanceTimersByTime(10_000);
  progress.count(25_000, 100_000);
  expect(screen()).toBe('25,000 of 100,000, 2,500/s, 0:10, Rotating');
  vi.advanceTimersByTime(2_000);
  expect(screen()).toBe('25,000 of 100,000, 2,500/s, 0:12, Rotating');
  progress.print('A warning');
  progress.start('Importing');
  vi.advanceTimersByTime(2_000);
  progress.count(3);
  expect(screen()).toBe('A warning\n3, 1.5/s, 0:02, Importing');
  progress.stop();
  vi.advanceTimersByTime(5_000);
  expect(screen()).toBe('A warning\n');
});

test('Elsewhere, the progress is a plain line for each step, and each ten seconds one with its count', () => {
  const lines = [];
  const progress = new Progress({ write: (text) => lines.push(text) });

  progress.start('Rotating');
  for (let done = 1; done <= 25; done++) {
    vi.advanceTimersByTime(1_000);
    progress.count(done, 25);
  }
  progress.stop();
  expect(lines).toEqual(['Rotating...\n', '10 of 25, 1/s, 0:10, Rotating\n', '20 of 25, 1/s, 0:20, Rotating\n']);
});

test('The progress of npm test is one line below what was printed, with the steps, the tests, the time and what runs', () => {
  const { terminal, screen } = openTerminal();
  const progress = new TestProgress({ ...terminal, columns: 72 }, 6);

  progress.start('lint');
  expect(screen()).toBe('0 of 6 steps, 0 tests passed, 0/s, 0:00, lint');
  progress.finishStep();
  progress.start('tests: test/shared/money.test.ts');
  progress.add({ passed: 2 });
  progress.print('FAILED a test\n');
  progress.add({ failed: 1 });
  vi.advanceTimersByTime(61_000);
  expect(screen()).toBe('FAILED a test\n1 of 6 steps, 2 tests passed, 1 failed, 3,000/s, 1:01, tests: test/shar');
  progress.stop();
  expect(screen()).toBe('FAILED a test\n');
});
