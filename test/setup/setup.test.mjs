/** Packages and programs that `npm start` and `npm test` require, and install if they are missing. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { matchesLockFile } from '../../server/setup/dependencies.mjs';
import { requireNode } from '../../server/setup/project.mjs';
import { findBrowser } from '../support/chromium.mjs';

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s is accepted', (version) => {
  expect(() => requireNode(version)).not.toThrow();
});

test.each(['18.20.4', '20.9.0', '20.18.3'])('Node %s is rejected with an error that states the required version', (version) => {
  expect(() => requireNode(version)).toThrow(`Fairterm needs Node 20.19 or newer; this is Node ${version}.`);
});

const lit = { version: '3.3.3', integrity: 'sha512-lit' };
const otherPlatform = { version: '1.0.0', integrity: 'sha512-binary', optional: true };

test.each([
  [true, 'the same packages', { lit }, { lit }],
  [true, 'no binary for another platform', { lit, otherPlatform }, { lit }],
  [false, 'a missing package', { lit, koa: lit }, { lit }],
  [false, 'other contents of a package', { lit }, { lit: { ...lit, integrity: 'sha512-other' } }],
  [false, 'an additional package', { lit }, { lit, koa: lit }],
])('matchesLockFile returns %s for an installation with %s', (expected, _installation, locked, installed) => {
  expect(matchesLockFile({ '': { name: 'fairterm' }, ...locked }, installed)).toBe(expected);
});

describe('findBrowser', () => {
  test('returns CHROME_PATH rather than an installed browser', async () => {
    await expect(findBrowser({ CHROME_PATH: process.execPath, PATH: process.env.PATH })).resolves.toBe(process.execPath);
  });

  test('rejects a CHROME_PATH that does not exist', async () => {
    await expect(findBrowser({ CHROME_PATH: '/nowhere/chrome' })).rejects.toThrow(
      'CHROME_PATH names /nowhere/chrome, which does not exist.',
    );
  });

  test.skipIf(process.platform === 'win32').each([
    ['returns a browser on the PATH', 'echo Google Chrome 140', true],
    ['skips a program that only explains how to install the browser', 'echo install the snap >&2; exit 1', false],
  ])('%s', async (_title, script, isFound) => {
    const folder = mkdtempSync(join(tmpdir(), 'fairterm-setup-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, 'google-chrome');
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    expect((await findBrowser({ PATH: folder })) === program).toBe(isFound);
  });
});
