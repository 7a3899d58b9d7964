import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findBrowser } from '../support/chromium.mjs';
import { createFolder } from './folder.mjs';

function createProgram(name, script) {
  const folder = createFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

test('CHROME_PATH takes precedence over installed browsers', async () => {
  await expect(findBrowser({ CHROME_PATH: process.execPath, PATH: process.env.PATH })).resolves.toBe(process.execPath);
});

test('a CHROME_PATH that does not exist is rejected', async () => {
  await expect(findBrowser({ CHROME_PATH: '/nowhere/chrome' })).rejects.toThrow(
    'CHROME_PATH names /nowhere/chrome, which does not exist.',
  );
});

describe.skipIf(process.platform === 'win32')('findBrowser', () => {
  test('returns a browser on the PATH', async () => {
    const folder = createProgram('google-chrome', 'echo Google Chrome 140');
    await expect(findBrowser({ PATH: folder })).resolves.toBe(join(folder, 'google-chrome'));
  });

  test('skips a program that only explains how to install the browser', async () => {
    const folder = createProgram('google-chrome', 'echo install the snap >&2; exit 1');
    await expect(findBrowser({ PATH: folder })).resolves.not.toBe(join(folder, 'google-chrome'));
  });
});
