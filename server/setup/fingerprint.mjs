import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A text that changes when a file under one of `paths` is added, removed, renamed or gets other contents. By contents, not
 * by date: switching branches and back builds nothing.
 *
 * @param {string} root
 * @param {string[]} paths files and folders below `root`; one that does not exist counts as empty
 * @returns {string}
 */
export function fingerprint(root, paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => filesUnder(root, path))) {
    const contents = readFileSync(join(root, file));
    hash.update(`${file}\n${contents.length}\n`).update(contents);
  }
  return hash.digest('hex');
}

/** @returns {string[]} paths relative to `root`, sorted */
function filesUnder(root, path) {
  const entry = statSync(join(root, path), { throwIfNoEntry: false });
  if (entry === undefined) return [];
  if (!entry.isDirectory()) return [path];
  const names = readdirSync(join(root, path)).toSorted();
  return names.flatMap((name) => filesUnder(root, `${path}/${name}`));
}
