import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that need packages of `test/nightly/package.json`. `npm run test:nightly` installs the packages and runs the tests. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: { '@fairterm/client': fileURLToPath(new URL('../../shared/client/index.ts', import.meta.url)) } },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: 'test/support/setup.ts',
    globalSetup: 'test/support/postgres.ts',
    include: ['test/nightly/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
