const cleanups: (() => unknown)[] = [];

/**
 * Remembers what must be done when the examples of this file are through; the last comes first.
 *
 * `afterAll` itself cannot be used within `beforeAll` or an example, where most things are given: it would never run.
 */
export function onCleanup(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Does so. @throws AggregateError - what could not be done; the rest is done all the same. */
export async function cleanUp(): Promise<void> {
  const faults: unknown[] = [];
  for (const cleanup of cleanups.splice(0).toReversed()) {
    try {
      await cleanup();
    } catch (thrown) {
      faults.push(thrown);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'What was given could not be cleaned up');
}
