import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type StaticFile, staticContent } from './static-files.ts';

const SHARED = fileURLToPath(new URL('./page.css', import.meta.url));

/**
 * The style sheet of pages of ours: the colours and the text all of them have, and what these add.
 *
 * @param parts - Paths of what they add, in the order it counts.
 * @param path  - What it is served at, `/checkout/checkout.css`.
 */
export function stylesheet(parts: readonly string[], path: string): StaticFile {
  return staticContent(Buffer.concat([SHARED, ...parts].map((part) => readFileSync(part))), path);
}
