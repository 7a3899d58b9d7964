import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprint } from '../../server/setup/build.mjs';
import { createFolder } from './folder.mjs';

function createSources() {
  const root = createFolder();
  mkdirSync(join(root, 'shared', 'wire'), { recursive: true });
  writeFileSync(join(root, 'shared', 'money.ts'), 'cents');
  writeFileSync(join(root, 'shared', 'wire', 'cart.ts'), 'a cart');
  return root;
}

test.each([
  ['a file is changed to other contents of the same length', (root) => writeFileSync(join(root, 'shared', 'money.ts'), 'pence')],
  ['a file is added', (root) => writeFileSync(join(root, 'shared', 'wire', 'new.ts'), '')],
  ['a file is removed', (root) => rmSync(join(root, 'shared', 'wire', 'cart.ts'))],
  ['a file is renamed', (root) => renameSync(join(root, 'shared', 'money.ts'), join(root, 'shared', 'coins.ts'))],
])('fingerprint changes if %s', (_what, change) => {
  const root = createSources();
  const before = fingerprint(root, ['shared']);
  change(root);
  expect(fingerprint(root, ['shared'])).not.toBe(before);
});

test('fingerprint does not change with the modification time of a file', () => {
  const root = createSources();
  const before = fingerprint(root, ['shared']);
  utimesSync(join(root, 'shared', 'money.ts'), new Date(0), new Date(0));
  expect(fingerprint(root, ['shared'])).toBe(before);
});

test('fingerprint does not change with files outside of the given folders', () => {
  const root = createSources();
  const before = fingerprint(root, ['shared', 'widget']);
  writeFileSync(join(root, 'README.md'), 'hello');
  expect(fingerprint(root, ['shared', 'widget'])).toBe(before);
});
