/** `node widget/build/build.mjs FOLDER`: builds the files that pages load: every mode of `widget/vite.config.ts` except those of the package, and `reserve.css`. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const [folder] = process.argv.slice(2);
const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));

for (const mode of ['script', 'classic-script', 'texts', 'amount-from', 'checkout', 'details']) {
  await build({ configFile, mode, logLevel: 'error', build: { outDir: folder } });
}
cpSync(fileURLToPath(new URL('../reserve.css', import.meta.url)), join(folder, 'reserve.css'));
