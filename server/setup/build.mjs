import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Progress } from '../base/progress.js';
import { ensureDependencies, hasPackages } from './dependencies.mjs';
import { projectRoot, runEntry, SetupError } from './project.mjs';

/** The folders of a build, by the name of each in an unfinished build. */
const outputs = {
  service: join(projectRoot, 'dist'),
  client: join(projectRoot, 'shared/client/dist'),
  button: join(projectRoot, 'widget/dist'),
};

/** Builds in progress: the finished folders are renamed, and a folder cannot be renamed to another file system. */
const unfinished = join(projectRoot, '.dist');

/** Installs missing packages and builds the project, unless `dist/` is up to date: then any installed packages suffice. */
export async function ensureBuilt() {
  if (isBuilt() && hasPackages()) return;
  ensureDependencies();
  // npm has built it with the `prepare` script if it installed packages.
  if (!isBuilt()) await build();
}

/** Returns true if the build is up to date with the sources and with this release of Node.js, for which npm compiled the packages. */
export function isBuilt() {
  const stamp = fingerprint();
  return Object.values(outputs).every((folder) => stampOf(folder) === stamp);
}

function stampOf(folder) {
  try {
    return readFileSync(join(folder, '.stamp'), 'utf8');
  } catch {
    // There is no build.
    return undefined;
  }
}

/** Returns false for what the commands of a recipe install and build in its folder. */
function isSource(path) {
  return !/(node_modules|\.next|dist|package-lock\.json)([\\/]|$)/.test(path);
}

/** Returns a hash of names and contents, without modification times: switching to another branch and back builds nothing. */
function fingerprint() {
  const filesIn = (folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)))
      .filter(
        (file) => isSource(file) && !Object.values(outputs).some((output) => join(projectRoot, file).startsWith(output + sep)),
      );
  const files = ['shared', 'server', 'demo', 'widget'].flatMap(filesIn);
  const hash = createHash('sha256').update(process.versions.modules);
  for (const file of [...files, 'package.json', 'package-lock.json', 'tsconfig.json'].toSorted()) {
    const contents = readFileSync(join(projectRoot, file));
    hash.update(`\n${file}\n${contents.length}\n`).update(contents);
  }
  return hash.digest('hex');
}

/** Builds in another folder, so that no incomplete build is used and several processes can build at the same time. */
async function build() {
  const progress = new Progress();
  progress.start('Building');
  // Calculated before the build, so that files saved during the build are built again.
  const stamp = fingerprint();
  const folder = join(unfinished, randomUUID());
  mkdirSync(folder, { recursive: true });
  try {
    await compile(folder);
    const service = join(folder, 'service');
    // Omits what only a clone needs, and dark pictures, because the guides show light ones. `.` matches the separator of any platform.
    const filter = (path) => !/^server.(setup|decisions|db.README)|-dark\.png$|\.(ts|mjs)$/.test(relative(projectRoot, path));
    for (const path of ['server', 'demo', 'shared/client/README.md', 'widget/README.md']) {
      cpSync(join(projectRoot, path), join(service, path), { recursive: true, filter });
    }
    cpSync(join(projectRoot, 'widget/recipes'), join(service, 'widget/recipes'), {
      recursive: true,
      filter: (path) => isSource(relative(projectRoot, path)),
    });
    await runNode('server/setup/colors.mjs', service);
    // The command `fairterm`.
    chmodSync(join(service, 'server/cli.js'), 0o755);
    for (const [name, output] of Object.entries(outputs)) {
      writeFileSync(join(folder, name, '.stamp'), stamp);
      publish(join(folder, name), output, stamp);
    }
  } finally {
    progress.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compile(folder) {
  const service = join(folder, 'service');
  // Without type checking, which is part of `npm test`. Syntax errors are still reported.
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'server/setup/tsconfig.json', '--noCheck', '--outDir', service];
  const steps = await Promise.allSettled([
    runNode(...tsc),
    runNode('widget/build/build.mjs', join(service, 'widget')),
    runNode('server/setup/packages.mjs', folder),
    runNode('widget/manifest/build.mjs', join(folder, 'button')),
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

/** Replaces an output, unless another process does so at the same time with a build of the same sources. */
function publish(folder, output, stamp) {
  const previous = `${folder}-previous`;
  while (existsSync(folder) && stampOf(output) !== stamp) {
    renameUnless('ENOENT', output, previous);
    renameUnless('ENOTEMPTY', folder, output);
    rmSync(previous, { recursive: true, force: true });
  }
}

/** Renames a folder. Ignores the error that occurs if another process has renamed the output. */
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
