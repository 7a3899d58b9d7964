import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { transformWithOxc } from 'vite';
import { browserArgs, ensureBrowser } from './support/chromium.mjs';
import { countReporter } from './support/count-reporter.mjs';

const rootDir = fileURLToPath(new URL('..', import.meta.url));
const countsFile = process.env.WTR_COUNTS_FILE;

/**
 * Compiles TypeScript as in the builds, with the settings of tsconfig.json.
 *
 * @type {import('@web/test-runner').TestRunnerPlugin}
 */
const typescript = {
  name: 'typescript',
  resolveMimeType: ({ path }) => (path.endsWith('.ts') ? 'js' : undefined),
  transform: async ({ path, body }) =>
    path.endsWith('.ts') ? { body: (await transformWithOxc(String(body), join(rootDir, path))).code } : undefined,
};

export default {
  rootDir,
  files: 'test/widget/**/*.test.ts',
  nodeResolve: true,
  // As many pages at a time as there are cores; half as many leave one of two idle.
  concurrency: availableParallelism(),
  plugins: [typescript],
  browsers: [chromeLauncher({ launchOptions: { executablePath: await ensureBrowser(), args: browserArgs } })],
  reporters: [
    defaultReporter({ reportTestResults: true, reportTestProgress: false }),
    ...(countsFile ? [countReporter(countsFile)] : []),
  ],
  // The sources' own warnings stay; that Lit checks more in development is no news.
  filterBrowserLogs: ({ args }) => !args.some((word) => String(word).includes('Lit is in dev mode')),
  // As for every other test: none needs as long, but a busy machine may.
  testFramework: { config: { ui: 'bdd', timeout: 30_000 } },
  testsFinishTimeout: 120_000,
};
