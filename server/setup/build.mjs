import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ensureDependencies, hasPackages } from './dependencies.mjs';
import { projectRoot, runEntry, SetupError } from './project.mjs';

const dist = join(projectRoot, 'dist');

/** Builds in progress: `dist/` is renamed, and a folder cannot be renamed to another file system. */
const unfinished = join(projectRoot, '.dist');

/** Installs missing packages and builds the project, unless `dist/` is up to date: then any installed packages suffice. */
export async function ensureBuilt() {
  if (isBuilt() && hasPackages()) return;
  ensureDependencies();
  // npm has built it with the `prepare` script if it installed packages.
  if (!isBuilt()) await build();
}

/** Returns true if `dist/` is up to date with the sources and with this release of Node.js, for which npm compiled the packages. */
export const isBuilt = () => builtStamp() === fingerprint();

function builtStamp() {
  try {
    return readFileSync(join(dist, '.stamp'), 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns a hash of names and contents, without modification times: switching to another branch and back builds nothing. */
function fingerprint() {
  const filesIn = (folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)));
  const files = ['shared', 'server', 'demo', 'widget'].flatMap(filesIn);
  const hash = createHash('sha256').update(process.versions.modules);
  for (const file of [...files, 'package.json', 'package-lock.json', 'tsconfig.json'].toSorted()) {
    const contents = readFileSync(join(projectRoot, file));
    hash.update(`\n${file}\n${contents.length}\n`).update(contents);
  }
  return hash.digest('hex');
}

/** Builds `dist/` in another folder, so that no incomplete build is used and several processes can build at the same time. */
async function build() {
  console.error('Building...');
  // Calculated before the build, so that files saved during the build are built again.
  const stamp = fingerprint();
  const folder = join(unfinished, randomUUID());
  mkdirSync(folder, { recursive: true });
  try {
    await compile(folder);
    const filter = (path) => !/^server.(setup|decisions|db.README)|\.(ts|mjs)$/.test(relative(projectRoot, path));
    for (const path of ['server', 'demo', 'shared/client/README.md', 'widget/README.md']) {
      cpSync(join(projectRoot, path), join(folder, path), { recursive: true, filter });
    }
    cpSync(join(projectRoot, 'widget/recipes'), join(folder, 'widget/recipes'), { recursive: true });
    writeFileSync(join(folder, '.stamp'), stamp);
    publish(folder, stamp);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compile(folder) {
  // Without type checking, which is part of `npm test`. Syntax errors are still reported.
  const tsc = (config, outDir) => runNode('node_modules/typescript/bin/tsc', '-p', config, '--noCheck', '--outDir', outDir);
  const widget = join(folder, 'widget');
  const steps = await Promise.allSettled([
    tsc('server/setup/tsconfig.json', folder),
    // The client and the widget are built with type declarations, because package.json exports them.
    tsc('server/setup/tsconfig.client.json', folder),
    tsc('widget/build/tsconfig.json', join(widget, 'types')),
    runNode('widget/build/build.mjs', widget),
    runNode('widget/manifest/build.mjs', join(widget, 'manifest')),
  ]);
  const failed = steps.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

/** @param {string[]} args a script and its arguments */
async function runNode(...args) {
  try {
    // With NODE_ENV=test of a caller, Lit's development build would be bundled.
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, args, { cwd: projectRoot, env });
  } catch ({ stdout, stderr, code }) {
    throw new SetupError(`${stdout}${stderr}\nThe build failed: "node ${args.join(' ')}" exited with code ${code}.`);
  }
}

/** Replaces `dist/`, unless another process does so at the same time with a build of the same sources. */
function publish(folder, stamp) {
  const previous = `${folder}-previous`;
  while (existsSync(folder) && builtStamp() !== stamp) {
    renameUnless('ENOENT', dist, previous);
    renameUnless('ENOTEMPTY', folder, dist);
    rmSync(previous, { recursive: true, force: true });
  }
}

/** Renames a folder. Ignores the error that occurs if another process has renamed `dist/`. */
function renameUnless(code, from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== code) throw error;
  }
}

/** `npm run build`, and `prepare`, which npm runs after `npm ci` and `npm install`, also for an installation from the Git repository. */
async function main() {
  if (process.argv[2] !== 'prepare') return ensureBuilt();
  if (isBuilt()) return;
  if (existsSync(join(projectRoot, 'node_modules', 'typescript'))) await build();
  else console.error('dist/ is not built, because the development packages are not installed.');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runEntry(main);
