import { fileURLToPath } from 'node:url';
import { type StaticFile, staticFile } from '../../http/static-files.ts';

/** What makes the pages of the checkout more comfortable, for browsers that run scripts. */
export function checkoutScript(): StaticFile {
  return staticFile(fileURLToPath(new URL('./client/enhance.js', import.meta.url)), '/checkout');
}
