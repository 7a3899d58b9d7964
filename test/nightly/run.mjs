/**
 * `npm run test:nightly -- [STEP...] [--seed N] [--minutes N] [--node N]`: the long tests.
 *
 * Steps, all of them by default and in this order:
 *
 * - `campaigns`: randomized tests, each with a time budget (random walks, crash loops, random queries, oracles)
 * - `fuzz`:      two million generated requests and raw inputs, `npm run fuzz`
 * - `matrices`:  all cases of tests that run only typical cases in `npm test`
 * - `postgres`:  tests that run only on SQLite in `npm test`, on PostgreSQL
 * - `proxy`:     the configuration of nginx that operators copy, and attacks through it
 * - `pooler`:    PgBouncer between two processes and PostgreSQL
 * - `installation`: the image, the containers, the unit of systemd, and Caddy
 * - `fail-over`: PostgreSQL with Patroni and HAProxy, whose leader is killed under load
 * - `upgrades`:  old and new processes side by side, roll-back, and `pg_dump`
 * - `packages`:  tests with packages of `test/nightly/package.json` (frameworks, PHP-FPM, Medusa, Vendure, Lighthouse, linters)
 * - `mutation`:  mutation tests of the rules that compute money
 *
 * `--seed` (default: the date, such as 20261122) and `--minutes` (default 5, the budget of each campaign) are printed, so that a run
 * can be repeated. `--node 22` runs the tests on another release of Node.js, which npm downloads. It uses a copy of the project,
 * because native packages are compiled for one release.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../server/setup/build.mjs';
import { projectRoot, runEntry, SetupError } from '../../server/setup/project.mjs';
import { ensureBrowser } from '../support/chromium.mjs';

const folder = join(projectRoot, 'test/nightly');

/** Test files with random examples. `test/support/campaign.ts` reads their seed and budget. */
const campaigns = [
  'test/journeys/random-walks.test.ts',
  'test/journeys/crashes.test.ts',
  'test/journeys/lender-outages.test.ts',
  'test/server/checkout/amounts.test.ts',
  'test/server/platform/listing/random-questions.test.ts',
  'test/server/http/openapi/program-schema.test.ts',
  'test/server/operations/retention/histories.test.ts',
  'test/server/purchases/settlements/histories.test.ts',
  'test/server/purchases/transactions/cards.test.ts',
  'test/shared/apr/oracle.test.ts',
];

/** Test files with long tables. `casesOf` in `test/support/campaign.ts` selects their cases for `npm test`. */
const matrices = [
  'test/built-widget',
  'test/journeys/button',
  'test/server/checkout/steps',
  'test/server/checkout/web',
  'test/server/npm-run',
  'test/concurrency/followed-lists.test.ts',
  'test/server/lending/programs/programs.test.ts',
  'test/server/http/openapi/schema-of.test.ts',
];

/** Tests with programs of operators. */
const operatorTests = {
  proxy: 'test/nightly/proxy.test.ts',
  pooler: 'test/nightly/pgbouncer.test.ts',
  installation: 'test/nightly/installation.test.ts',
  failOver: 'test/nightly/fail-over.test.ts',
  upgrade: 'test/nightly/upgrade.test.ts',
  dump: 'test/nightly/postgres-dump.test.ts',
};

const steps = {
  campaigns: (options) => vitest('test/vitest.config.ts', campaigns, nightly(options)),
  fuzz: ({ seed }) => tool('test/fuzz/run.mjs', ['--seed', seed]),
  matrices: (options) => vitest('test/vitest.config.ts', matrices, nightly(options)),
  postgres: () => vitest('test/vitest.config.ts', ['--project', 'service'], { TEST_ENGINE: 'postgres' }),
  proxy: () =>
    vitest('test/nightly/vitest.config.ts', [operatorTests.proxy]) &&
    tool('--import', ['./test/support/typescript.mjs', 'test/bench/hostile-connections.bench.ts']),
  pooler: () => vitest('test/nightly/vitest.config.ts', [operatorTests.pooler]),
  installation: () => vitest('test/nightly/vitest.config.ts', [operatorTests.installation]),
  'fail-over': () => vitest('test/nightly/vitest.config.ts', [operatorTests.failOver]),
  upgrades: () => vitest('test/nightly/vitest.config.ts', [operatorTests.upgrade, operatorTests.dump]),
  packages: () => {
    const ofOtherSteps = Object.values(operatorTests).flatMap((file) => ['--exclude', file]);
    return compileNightlyTests() && vitest('test/nightly/vitest.config.ts', ofOtherSteps);
  },
  mutation: () =>
    tool(join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js'), ['run', 'test/nightly/stryker.config.mjs']),
};

const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: today }, minutes: { type: 'string', default: '5' }, node: { type: 'string' } },
});
let environment = { ...process.env };

await runEntry(async () => {
  const chosen = positionals.length > 0 ? positionals : Object.keys(steps);
  const unknown = chosen.filter((name) => !(name in steps));
  if (unknown.length > 0)
    throw new SetupError(`Expected steps of ${Object.keys(steps).join(', ')}, received ${unknown.join(', ')}`);
  if (values.node) {
    process.exitCode = runOnNode(values.node, chosen);
    return;
  }
  installNightlyPackages();
  environment = { ...environment, CHROME_PATH: await ensureBrowser() };
  await ensureBuilt();
  const options = `--seed ${values.seed} --minutes ${values.minutes}`;
  const failed = [];
  for (const name of chosen) {
    console.log(`\n── npm run test:nightly -- ${name} ${options}`);
    if (!steps[name](values)) failed.push(name);
  }
  console.log(
    `\n${chosen.length - failed.length} steps passed, ${failed.length} failed (${options})${failed.map((name) => ` ${name}`).join('')}`,
  );
  if (failed.length > 0) process.exitCode = 1;
});

/** @param {{ seed: string, minutes: string }} options @returns {Record<string, string>} */
function nightly({ seed, minutes }) {
  return { NIGHTLY_SEED: seed, NIGHTLY_MINUTES: minutes };
}

/** Installs the packages of `test/nightly/package.json`, with their dependencies of today. Does nothing if they are installed. */
function installNightlyPackages() {
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new SetupError('The packages of test/nightly/package.json could not be installed; npm reports why above.');
}

/**
 * Runs the steps in `data/nightly/node-<release>`, a copy of the project with its own packages.
 *
 * @param {string} release
 * @param {string[]} names
 * @returns {number} the exit code
 */
function runOnNode(release, names) {
  const copy = join(projectRoot, 'data/nightly', `node-${release}`);
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: projectRoot, encoding: 'utf8' });
  const files = stdout.split('\0').filter((file) => file && existsSync(join(projectRoot, file)));
  for (const file of files) cpSync(join(projectRoot, file), join(copy, file));
  const node = nodeRelease(release);
  // npm and the child processes of tests also run on that release.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const args = ['test/nightly/run.mjs', ...names, '--seed', values.seed, '--minutes', values.minutes];
  return spawnSync(node, args, { cwd: copy, stdio: 'inherit', env }).status ?? 1;
}

/** Downloads a release of Node.js with npm. @param {string} release @returns {string} the path of its binary */
function nodeRelease(release) {
  const args = ['--yes', '--package', `node@${release}`, '--', 'node', '--print', 'process.execPath'];
  const { status, stdout } = spawnSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  if (status !== 0) throw new SetupError(`npm has no package node@${release} for this machine.`);
  return stdout.trim();
}

/** Type-checks this folder. `npm test` cannot, because it does not install the packages of this folder. */
function compileNightlyTests() {
  return tool('node_modules/typescript/bin/tsc', ['-p', 'test/nightly/tsconfig.json']);
}

/** @param {string} config @param {string[]} args @param {Record<string, string>} [variables] */
function vitest(config, args, variables = {}) {
  return tool('node_modules/vitest/vitest.mjs', ['run', '-c', config, ...args], variables);
}

/** @param {string} script @param {string[]} args @param {Record<string, string>} [variables] @returns {boolean} whether it succeeded */
function tool(script, args, variables = {}) {
  const env = { ...environment, ...variables };
  return spawnSync(process.execPath, [script, ...args], { cwd: projectRoot, stdio: 'inherit', env }).status === 0;
}
