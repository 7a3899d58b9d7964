const cleanups: (() => unknown)[] = [];

/**
 * Registers a function to call after the tests of this file, in reverse order of registration.
 *
 * `afterAll` cannot be called within `beforeAll` or a test, where most resources are created: it would never run.
 */
export function onCleanup(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Calls all registered functions. @throws AggregateError with the errors of those that failed. */
export async function cleanUp(): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanup of cleanups.splice(0).toReversed()) {
    try {
      await cleanup();
    } catch (thrown) {
      errors.push(thrown);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Resources of a test could not be released');
}
