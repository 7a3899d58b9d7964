import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVersion } from '../package-version.ts';
import { type Release, releaseOf } from './release.ts';

/** Files of a page; what else is built is for those who build their pages themselves. */
const SERVED = /^([\w.-]+\.(js|css)|texts\/[\w-]+\.(js|json))$/;

/** The release that lies in a folder as it was built. @throws Error - there is none. */
export function readRelease(folder: string): Release {
  const names = ['', 'texts/'].flatMap((below) => namesIn(join(folder, below)).map((name) => below + name));
  const served = names.filter((name) => SERVED.test(name));
  if (!served.includes('financing-button.js')) throw new Error(`There is no widget in ${folder}. Build it: npm run build`);
  return releaseOf(packageVersion(), new Map(served.map((name) => [name, readFileSync(join(folder, name))])));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
