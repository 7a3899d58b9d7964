import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * The examples that Stryker tries on every changed rule, see stryker.config.mjs.
 *
 * Unlike in vitest.config.ts, each file has modules of its own: a changed constant must be computed anew.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/shared/**/*.test.ts'],
    // Counting what an example covers takes time too.
    testTimeout: 30_000,
    // The first takes a third of the time and notices no change that the other examples miss; the others know none of the rules.
    exclude: ['test/shared/apr/oracle.test.ts', 'test/shared/client/**'],
  },
});
