/**
 * `node server/setup/packages.mjs FOLDER`: builds the packages `@fairterm/client` and `@fairterm/button` in the folders `client` and `button`,
 * as ES modules and as CommonJS, with types. They contain what they use of `shared/` and of superstruct.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { projectRoot } from './project.mjs';

const [folder] = process.argv.slice(2);
const client = join(folder, 'client');
const button = join(folder, 'button');
const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc');

for (const format of ['esm', 'cjs']) {
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir: join(client, format),
      target: 'es2022',
      minify: false,
      sourcemap: true,
      lib: {
        entry: join(projectRoot, 'shared/client/index.ts'),
        formats: [format === 'esm' ? 'es' : 'cjs'],
        fileName: () => 'index.js',
      },
    },
  });
  // The mode selects the format: see that file.
  const configFile = join(projectRoot, 'widget/vite.config.ts');
  await build({ configFile, mode: format, logLevel: 'error', build: { outDir: join(button, format) } });
  cpSync(join(projectRoot, 'widget/frameworks'), join(button, format, 'frameworks'), { recursive: true });
}

const declarations = join(folder, 'declarations');
const config = join(projectRoot, 'server/setup/tsconfig.packages.json');
await promisify(execFile)(process.execPath, [tsc, '-p', config, '--noCheck', '--outDir', declarations]);
await copyTypes(['shared/client/index.d.ts'], client);
await copyTypes(['widget/index.d.ts', 'widget/react.d.ts'], button);
rmSync(declarations, { recursive: true });

cpSync(join(projectRoot, 'widget/reserve.css'), join(button, 'reserve.css'));
for (const built of [client, button]) {
  cpSync(join(projectRoot, 'LICENSE'), join(built, 'LICENSE'));
  cpSync(join(projectRoot, 'node_modules/superstruct/License.md'), join(built, 'LICENSE-superstruct.md'));
  writeFileSync(join(built, 'cjs/package.json'), '{"type":"commonjs"}\n');
}

/** Copies the declarations that `entries` use, also those of superstruct, to both formats of a package. */
async function copyTypes(entries, built) {
  const list = [tsc, '--ignoreConfig', '--listFilesOnly', '--module', 'nodenext', '--lib', 'es2023,dom', ...entries];
  const { stdout } = await promisify(execFile)(process.execPath, list, { cwd: declarations });
  for (const file of stdout.trim().split('\n')) {
    const [, ofSuperstruct] = file.split('/node_modules/superstruct/dist/');
    const path = ofSuperstruct ? join('superstruct', ofSuperstruct) : relative(realpathSync(declarations), file);
    // Declarations of the language, and of packages that are not included.
    if (path.startsWith('..')) continue;
    const superstruct = relative(dirname(path), 'superstruct/index.js').replaceAll(sep, '/');
    const text = readFileSync(file, 'utf8').replaceAll(/(?<=from |import\()(['"])superstruct\1/g, `'${superstruct}'`);
    for (const format of ['esm', 'cjs']) {
      const target = join(built, format, 'types', path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
}
