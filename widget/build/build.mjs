/** `node widget/build/build.mjs FOLDER`: runs every build of `widget/vite.config.ts` in one process. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const [folder] = process.argv.slice(2);
const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));

for (const mode of ['script', 'classic-script', 'texts', 'amount-from', 'checkout', 'details']) {
  await build({ configFile, mode, logLevel: 'error', build: { outDir: folder } });
}
await build({ configFile, mode: 'package', logLevel: 'error', build: { outDir: join(folder, 'module') } });
