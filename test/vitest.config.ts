import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { TEST_DATA_KEYS } from './support/data-keys.ts';

// A time zone far from UTC with daylight saving time reveals wrong conversions. Every test process inherits this setting.
process.env['TZ'] = 'Pacific/Auckland';

// Processes that tests start use the databases of tests.
process.env['DATA_KEYS'] = TEST_DATA_KEYS;

/** Tests that need neither a database server nor a build; `npm run check` runs them. */
const pure = ['test/shared/**/*.test.ts', 'test/setup/**/*.test.mjs', 'test/widget-texts.test.ts'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Resolves the package name to its sources, so that tests need no build.
  resolve: { alias: { '@fairterm/client': fileURLToPath(new URL('../shared/client/index.ts', import.meta.url)) } },
  test: {
    // better-sqlite3 is a native module and requires processes instead of threads.
    pool: 'forks',
    execArgv: ['--import', new URL('./support/typescript-workers.mjs', import.meta.url).href],
    // Two more workers than cores, because workers often wait for a browser, a process or a disk.
    maxWorkers: availableParallelism() + 2,
    // Longer than any test needs, so that tests do not fail on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    retry: 0,
    projects: [
      // These tests share no state between files, so they can run without a process for each file.
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: 'service',
          // Loading the service again for each file would take longer than most files run.
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
