/** Builds the widget aside, to weigh it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {string} folder
 * @param {string} [config] another way to build it
 * @returns {Promise<void>}
 */
export async function buildAside(folder, config = 'widget/vite.config.ts') {
  const options = ['build', '-c', config, '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'];
  // A test's own NODE_ENV would have Lit's development build bundled.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', ...options], { cwd: root, env });
}

/**
 * @param {string} file
 * @returns {number} what it is when a server compresses it as well as it can
 */
export function brotliBytes(file) {
  return brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength;
}
