import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Far from UTC and with summer time, so that a date read in the wrong zone shows. Set here, every test process inherits it.
process.env['TZ'] = 'Pacific/Auckland';

/** Tests that need neither a database server nor a build; `npm run check` runs them. */
const pure = ['test/shared/**/*.test.ts', 'test/setup/**/*.test.mjs', 'test/widget-texts.test.ts'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // The package by its own name, from its sources: no build stands between a change and its test.
  resolve: { alias: { 'fairterm/client': fileURLToPath(new URL('../shared/client/index.ts', import.meta.url)) } },
  test: {
    // better-sqlite3 is a native module and wants processes rather than threads.
    pool: 'forks',
    // One more than there are cores: whoever waits for a browser, a process or a disk leaves one idle for a good part of its time.
    maxWorkers: availableParallelism() + 1,
    // No example needs as long, and a machine that has other things to do is no fault of theirs.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    retry: 0,
    projects: [
      // Rules keep nothing between files, which saves a process for each.
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: 'service',
          // To load the service anew for each file takes longer than most files do.
          isolate: false,
          setupFiles: 'test/support/setup.ts',
          include: ['test/**/*.test.ts'],
          // test/widget/ runs in a real browser, see web-test-runner.config.mjs.
          exclude: [...pure, 'test/widget/**', 'test/nightly/**'],
          globalSetup: 'test/support/postgres.ts',
        },
      },
    ],
  },
});
