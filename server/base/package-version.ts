import { create, string, type } from 'superstruct';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the version in package.json, which is above this file in the sources and in `dist/`. */
export function packageVersion(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const { version } = create(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), type({ version: string() }));
  return version;
}
