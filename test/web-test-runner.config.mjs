import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { browserArgs, ensureBrowser } from './support/chromium.mjs';
import { countReporter } from './support/count-reporter.mjs';

const rootDir = fileURLToPath(new URL('..', import.meta.url));
const countsFile = process.env.WTR_COUNTS_FILE;

export default {
  rootDir,
  files: 'test/widget/**/*.test.ts',
  nodeResolve: true,
  // As many pages at a time as there are cores; half as many leave one of two idle.
  concurrency: availableParallelism(),
  plugins: [esbuildPlugin({ ts: true, target: 'auto', tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) })],
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
