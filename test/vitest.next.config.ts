import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Builds and runs the recipe for Next.js by Next.js: some hundred megabytes of its own, which the other tests do without. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { alias: { 'fairterm/client': fileURLToPath(new URL('../shared/client/index.ts', import.meta.url)) } },
  test: {
    pool: 'forks',
    setupFiles: 'test/support/clean-up-after.ts',
    include: ['test/recipes/next/build-and-buy.ts'],
    testTimeout: 60_000,
    hookTimeout: 600_000,
  },
});
