/** The report of tests that a run waits for. */
import { expect, onTestFinished, test, vi } from 'vitest';
import RunningTests from '../support/running-tests.mjs';

test('The report names the files, tests and hooks that have been running for a minute, and nothing that has ended', () => {
  vi.useFakeTimers();
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => {
    vi.useRealTimers();
    printed.mockRestore();
  });
  const entities = new Map();
  const known = (id, entity) => {
    entities.set(id, { id, ...entity });
    return entities.get(id);
  };
  const fileIn = (state, name) => known(name, { type: 'module', relativeModuleId: name, state: () => state });
  const testIn = (module, state, fullName) => known(fullName, { type: 'test', module, fullName, result: () => ({ state }) });
  const report = new RunningTests();
  report.onInit({ state: { getReportedEntityById: (id) => entities.get(id) } });
  report.onTestRunStart();

  report.onTestModuleQueued(fileIn('queued', 'importing.test.ts'));
  report.onTestModuleQueued(fileIn('queued', 'ended.test.ts'));
  const ended = fileIn('passed', 'ended.test.ts');
  const waiting = fileIn('pending', 'waiting.test.ts');
  report.onTestModuleQueued(waiting);
  report.onTestCaseReady(testIn(waiting, 'pending', 'hangs'));
  // The end of these was reported before their start.
  const passed = testIn(waiting, 'passed', 'passes');
  report.onTestCaseReady(passed);
  report.onHookStart({ name: 'afterAll', entity: ended });
  report.onHookStart({ name: 'beforeAll', entity: waiting });
  report.onHookEnd({ name: 'beforeAll', entity: waiting });
  report.onHookStart({ name: 'afterEach', entity: passed });
  vi.advanceTimersByTime(60_000);
  report.onTestRunEnd();

  expect(printed.mock.calls.map(([line]) => line)).toEqual([
    'Running for 60 s: importing.test.ts',
    'Running for 60 s: waiting.test.ts',
    'Running for 60 s: waiting.test.ts > hangs',
    'Running for 60 s: waiting.test.ts > passes, afterEach',
  ]);
});
