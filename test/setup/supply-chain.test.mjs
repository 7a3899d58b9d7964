/** The packages of the lock file and of a production install. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/setup/project.mjs';
import { sbomOf } from '../../server/setup/sbom.mjs';

const readJson = (path) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
const lock = readJson('package-lock.json');
const { dependencies, optionalDependencies, allowScripts } = readJson('package.json');
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

test('every package of the lock file is from the npm registry and has a SHA-512 hash', () => {
  for (const [path, { integrity, resolved, link }] of packages) {
    expect([path, integrity, link]).toEqual([path, expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/), undefined]);
    // npm omits the URL if it is that of the configured registry.
    if (resolved !== undefined) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
  }
});

test('the service has at most 21 direct dependencies, including the second SQLite driver', () => {
  const direct = Object.keys({ ...dependencies, ...optionalDependencies });
  expect(direct.length).toBeLessThanOrEqual(21);
});

test('only the SQLite driver runs a script when it is installed for production', () => {
  const scripted = packages.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);
  expect(scripted.map(([path]) => path)).toEqual(['node_modules/better-sqlite3']);
  expect(allowScripts['better-sqlite3']).toBe(true);
});

test('the bill of materials lists exactly the packages of a production install', async () => {
  const { components } = sbomOf(lock);
  const refs = components.map((component) => component['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);

  const args = ['ls', '--package-lock-only', '--omit=dev', '--all', '--parseable', '--long'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: projectRoot });
  const [, ...lines] = stdout.trim().split('\n');
  // `/path:name@version`, and for the alias of the second driver `/path:alias@npm:name@version`
  const expected = new Set(lines.map((line) => line.split(':').at(-1)));
  expect(new Set(refs)).toEqual(expected);
});

test('the build writes the bill of materials of the lock file, with hashes and package URLs', () => {
  const { components } = readJson('dist/server/sbom.json');
  expect(components).toEqual(sbomOf(lock).components);
  expect(components.find(({ name }) => name === '@koa/router')).toMatchObject({
    purl: `pkg:npm/%40koa/router@${lock.packages['node_modules/@koa/router'].version}`,
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
  });
});
