import { codeOf } from '../errors.ts';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type KeyRing, newDataKey, parseKeyRing } from '../key-ring.ts';
import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';
import { givenIn } from './read-settings.ts';

/** Reads `DATA_KEYS`; undefined if it is not set. @throws Error - a key is invalid; the message contains no key. */
export function dataKeysIn(env: Env): KeyRing | undefined {
  const keys = givenIn(env, 'DATA_KEYS');
  const { DATA_KEYS_FILE: file } = env;
  return keys === undefined ? undefined : parseKeyRing(keys, file ? `DATA_KEYS_FILE: ${file}` : 'DATA_KEYS');
}

/**
 * Returns the key ring. Without configured keys, a sandbox has a file with a key next to its database.
 *
 * @param mayCreate - Whether to create that file if it does not exist.
 * @throws Error - a live service or a command has no keys, or the file cannot be read or is invalid.
 */
export function readDataKeys(
  { dataKeys, mode, databaseUrl }: { dataKeys?: KeyRing | undefined; mode?: Mode | undefined; databaseUrl: string },
  { mayCreate = true } = {},
): KeyRing {
  if (dataKeys) return dataKeys;
  if (mode === 'live') {
    throw new Error(
      'DATA_KEYS: expected DATA_KEYS or DATA_KEYS_FILE for a live service, which encrypts personal data and secrets; ' +
        'create a key with `fairterm data-key create`',
    );
  }
  const file = databaseUrl.startsWith('sqlite:') ? `${databaseUrl.slice('sqlite:'.length)}.keys` : 'data/sandbox.keys';
  if (mayCreate) createKeyFile(file);
  else if (!existsSync(file)) {
    throw new Error(
      `DATA_KEYS: expected DATA_KEYS or DATA_KEYS_FILE with the keys of this database, because there is no ${file}, which a sandbox creates in the folder in which it starts`,
    );
  }
  return parseKeyRing(readFileSync(file, 'utf8'), file);
}

/**
 * Creates a file with one key, unless it exists. If several processes start at the same time, the first one determines the key: a link to a
 * finished file is never empty, and fails if the file exists.
 */
function createKeyFile(file: string): void {
  if (existsSync(file)) return;
  const temporary = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(temporary, `${newDataKey('sandbox')}\n`, { mode: 0o600 });
  try {
    linkSync(temporary, file);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  } finally {
    rmSync(temporary);
  }
}
