import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { installSystemPackages, isRoot } from '../support/system-packages.mjs';
import { createFolder } from './folder.mjs';

/** Puts one package manager on the PATH and returns a function that lists the arguments of its calls. */
function createPackageManager(name) {
  const folder = createFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$*" >> ${join(folder, 'calls')}\n`);
  chmodSync(join(folder, name), 0o755);
  vi.stubEnv('PATH', folder);
  return () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n') : []);
}

afterEach(() => vi.unstubAllEnvs());

describe.runIf(isRoot)('installSystemPackages', () => {
  const compiler = { 'apt-get': ['python3', 'make', 'g++'], apk: ['g++'] };

  test.each([
    ['apt-get', ['update', 'install -y --no-install-recommends python3 make g++']],
    ['apk', ['add --no-cache g++']],
    // A supported package manager without packages in the argument, and one that is not supported.
    ['dnf', []],
    ['brew', []],
  ])('calls %s with the arguments %j', (name, expected) => {
    const calls = createPackageManager(name);
    installSystemPackages('a compiler', compiler);
    expect(calls()).toEqual(expected);
  });
});
