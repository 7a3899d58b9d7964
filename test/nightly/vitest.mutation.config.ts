import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Tests that Stryker runs for every mutant, see stryker.config.mjs.
 *
 * Unlike in vitest.config.ts, test files are isolated, because mutated constants must be computed again.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // Stryker's copy of the project has no build that the package name could resolve to.
  resolve: { alias: { '@fairterm/client': fileURLToPath(new URL('../../shared/client/index.ts', import.meta.url)) } },
  test: {
    include: ['test/shared/**/*.test.ts'],
    // Measuring the coverage slows the tests down.
    testTimeout: 120_000,
    // The oracle takes a third of the time and detects no additional mutants. The tests of the client use none of the rules.
    exclude: ['test/shared/apr/oracle.test.ts', 'test/shared/client/**'],
  },
});
