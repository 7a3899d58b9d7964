import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logProgress } from './project.mjs';

const POLL_MS = 100;
/** Interval at which the owner updates the modification time of its lock. */
const TOUCH_MS = 2_000;
/** Time without an update after which a lock is abandoned, even if another process now has the id of its owner. */
const ABANDONED_MS = 30_000;

/**
 * Runs `work` with a lock that excludes other processes on this machine. Replaces an abandoned lock.
 *
 * @template T
 * @param {string} folder the lock: a folder that exists only while a process owns it
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, work) {
  mkdirSync(dirname(folder), { recursive: true });
  let waited = false;
  while (!tryAcquire(folder)) {
    if (isAbandoned(folder)) {
      rmSync(folder, { recursive: true, force: true });
      continue;
    }
    if (!waited) logProgress('Another process is installing dependencies or building; waiting...');
    waited = true;
    await delay(POLL_MS);
  }
  const touching = setInterval(() => utimesSync(folder, new Date(), new Date()), TOUCH_MS);
  const release = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    process.off('exit', release);
    release();
  }
}

/** @param {string} folder */
function tryAcquire(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(folder, 'pid'), String(process.pid));
  return true;
}

/** @param {string} folder */
function isAbandoned(folder) {
  const owner = Number(readOrEmpty(join(folder, 'pid')));
  if (owner > 0 && !isAlive(owner)) return true;
  const entry = statSync(folder, { throwIfNoEntry: false });
  return entry !== undefined && Date.now() - entry.mtimeMs > ABANDONED_MS;
}

/** @param {string} path */
function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
    return error.code === 'EPERM';
  }
}
