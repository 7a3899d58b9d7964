/** Builds the widget into a folder, and measures the size of its files. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {string} folder
 * @returns {Promise<void>}
 */
export async function buildWidget(folder: string) {
  // With `NODE_ENV=test`, Lit's development build would be bundled.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, ['widget/build/build.mjs', folder], { cwd: root, env });
}

/**
 * @param {string} file
 * @returns {number} Size in bytes with the highest brotli compression level.
 */
export function brotliBytes(file: string) {
  return brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength;
}
