import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withLock } from '../../server/setup/lock.mjs';
import { createFolder } from './folder.mjs';

test('two tasks with the same lock run one after the other', async () => {
  const lock = join(createFolder(), 'lock');
  const events = [];
  const task = (name) => async () => {
    events.push(`${name} begins`);
    await new Promise(setImmediate);
    events.push(`${name} ends`);
  };
  await Promise.all([withLock(lock, task('first')), withLock(lock, task('second'))]);
  expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

test('the lock is released if the task fails', async () => {
  const lock = join(createFolder(), 'lock');
  await expect(withLock(lock, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
  expect(existsSync(lock)).toBe(false);
});

test('the lock of a process that has exited is taken over', async () => {
  const lock = join(createFolder(), 'lock');
  const exited = spawnSync(process.execPath, ['-e', '']);
  mkdirSync(lock);
  writeFileSync(join(lock, 'pid'), String(exited.pid));
  await expect(withLock(lock, async () => 'done')).resolves.toBe('done');
});
