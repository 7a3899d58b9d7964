import { codeOf, messageOf } from '../errors.ts';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { KeyRing, newDataKey, parseKeyRing } from '../key-ring.ts';
import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';

/** The keys that encrypt personal data and secrets in the database, or the file that contains them. */
export type DataKeysConfig = KeyRing | { file: string };

/**
 * Reads `DATA_KEYS` or `DATA_KEYS_FILE`; undefined if neither is set.
 *
 * @throws Error - both variables are set, or a key is invalid; the message contains no key.
 */
export function dataKeysIn(env: Env): DataKeysConfig | undefined {
  const keys = env['DATA_KEYS'] || undefined;
  const file = env['DATA_KEYS_FILE'] || undefined;
  if (keys !== undefined && file !== undefined) throw new Error('DATA_KEYS: expected no value, because DATA_KEYS_FILE is set');
  if (file !== undefined) return { file };
  return keys === undefined ? undefined : parseKeyRing(keys, 'DATA_KEYS');
}

/**
 * Returns the key ring. Without configured keys, a sandbox has a file with a key next to its database.
 *
 * @param mayCreate - Whether to create that file if it does not exist.
 * @throws Error - a live service or a command has no keys, or the file cannot be read or is invalid.
 */
export function readDataKeys(
  { dataKeys, mode, databaseUrl }: { dataKeys?: DataKeysConfig | undefined; mode?: Mode | undefined; databaseUrl: string },
  { mayCreate = true } = {},
): KeyRing {
  if (dataKeys instanceof KeyRing) return dataKeys;
  if (dataKeys) return keyRingIn(dataKeys.file);
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
  return keyRingIn(file);
}

function keyRingIn(file: string): KeyRing {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new Error(`DATA_KEYS_FILE: ${messageOf(thrown)}`, { cause: thrown });
  }
  return parseKeyRing(text, `DATA_KEYS_FILE: ${file}`);
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
