/** `node widget/build/build.mjs FOLDER`: everything that Vite builds, in one process, since starting Vite costs more than most of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const [folder] = process.argv.slice(2);
const here = fileURLToPath(new URL('./', import.meta.url));

const run = (configFile, mode, outDir) =>
  build({ configFile: join(here, configFile), mode, logLevel: 'error', build: { outDir, emptyOutDir: false } });

await run('../vite.config.ts', 'production', folder);
for (const part of Object.keys(JSON.parse(readFileSync(join(here, 'parts.json'), 'utf8')))) {
  await run('part.config.ts', part, folder);
}
await run('module.config.ts', 'production', join(folder, 'module'));
