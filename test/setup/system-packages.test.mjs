import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { installSystemPackages, isRoot } from '../support/system-packages.mjs';
import { givenFolder } from './folder.mjs';

/** A machine with one package manager, which records its arguments. */
function givenManager(name) {
  const folder = givenFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$*" >> ${join(folder, 'asked')}\n`);
  chmodSync(join(folder, name), 0o755);
  vi.stubEnv('PATH', folder);
  return () => (existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8').trimEnd().split('\n') : []);
}

afterEach(() => vi.unstubAllEnvs());

describe.runIf(isRoot)('packages of the system', () => {
  const compiler = { 'apt-get': ['python3', 'make', 'g++'], apk: ['g++'] };

  test.each([
    ['apt-get', ['update', 'install -y --no-install-recommends python3 make g++']],
    ['apk', ['add --no-cache g++']],
    ['dnf', []],
    ['brew', []],
  ])('are installed with %s by its package names, if it has any', (name, expected) => {
    const manager = givenManager(name);
    installSystemPackages('a compiler', compiler);
    expect(manager()).toEqual(expected);
  });
});
