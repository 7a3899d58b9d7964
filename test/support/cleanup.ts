import { afterAll } from 'vitest';

const cleanups: (() => unknown)[] = [];

/**
 * Remembers what must be done when the examples of this file are through; the last comes first.
 *
 * `afterAll` itself cannot be used within `beforeAll` or an example, where most things are given: it would never run.
 */
export function atTheEnd(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});
