/** The packages of the lock file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/setup/project.mjs';

const readJson = (path) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
const lock = readJson('package-lock.json');
const { allowScripts } = readJson('package.json');
// Without the project, and the client, which is a part of it.
const packages = Object.entries(lock.packages).filter(([path]) => path !== '' && !path.endsWith('/client'));

test('every package of the lock file is from the npm registry and has a SHA-512 hash', () => {
  for (const [path, { integrity, resolved, link }] of packages) {
    expect([path, integrity, link]).toEqual([path, expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/), undefined]);
    // npm omits the URL if it is that of the configured registry.
    if (resolved !== undefined) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
  }
});

test('only the SQLite driver runs a script when it is installed for production', () => {
  const scripted = packages.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);
  expect(scripted.map(([path]) => path)).toEqual(['node_modules/better-sqlite3']);
  expect(allowScripts['better-sqlite3']).toBe(true);
});
