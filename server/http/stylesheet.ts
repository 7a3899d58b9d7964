import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StaticFile, staticContent } from './static-files.ts';

const SHARED = fileURLToPath(new URL('./page.css', import.meta.url));

/**
 * The style sheet of pages of ours: the colours and the text all of them have, and what these add.
 *
 * @param path   - Where that lies on disk.
 * @param folder - Path it is served below, `/checkout`.
 */
export function stylesheet(path: string, folder: string): StaticFile {
  return staticContent(Buffer.concat([readFileSync(SHARED), readFileSync(path)]), `${folder}/${basename(path)}`);
}
