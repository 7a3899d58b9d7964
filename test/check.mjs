/**
 * `npm run check`: checks types, lint, imports and the pure rules in seconds. `npm run check -- server/purchases/carts`: checks types, and lints and
 * tests one feature, with storage tests on SQLite only.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the nearest folder with tests: the tests of a part of a feature may be those of the feature.
 *
 * @param {string} folder
 * @returns {string}
 */
function folderOfTests(folder) {
  return existsSync(`${root}/test/${folder}`) || !folder.includes('/') ? folder : folderOfTests(dirname(folder));
}

const [feature] = process.argv.slice(2).map((path) => path.replace(/^test\/|\/+$/g, ''));
const folders = feature ? [feature, `test/${feature}`].filter((folder) => existsSync(`${root}/${folder}`)) : ['.'];
if (folders.length === 0) {
  console.error(`Expected a folder with code or tests, such as server/purchases/carts, but received ${feature}`);
  process.exit(2);
}

const vitest = ['vitest/vitest.mjs', 'run', '-c', 'test/vitest.config.ts'];
const steps = [
  ['typescript/bin/tsc', '-p', 'tsconfig.json'],
  ['oxlint/bin/oxlint', '--type-aware', ...folders],
  ['dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.mjs', 'server', 'shared', 'widget', 'demo'],
  [...vitest, ...(feature ? [`test/${folderOfTests(feature)}/`] : ['--project', 'pure'])],
];
const env = { ...process.env, ...(feature && { TEST_ENGINE: 'sqlite' }) };
for (const [script, ...args] of steps) {
  const { status } = spawnSync(process.execPath, [`node_modules/${script}`, ...args], { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
