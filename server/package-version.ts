import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The package's version. It stands above this file, as it is written and as it is built. */
export function packageVersion(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
