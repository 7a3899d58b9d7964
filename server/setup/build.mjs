import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { sbomOf } from './sbom.mjs';
import { projectRoot, runEntry, logProgress, SetupError } from './project.mjs';

const dist = join(projectRoot, 'dist');
const next = join(dist, '.next');
const bin = (name) => join(projectRoot, 'node_modules', name);

/** Build targets: their source files and their output folders in `dist/`. Targets do not depend on each other. */
const targets = {
  service: { sources: ['shared', 'server', 'demo'], folders: ['shared', 'server', 'demo'], build: buildService },
  widget: { sources: ['shared', 'widget', 'package.json'], folders: ['widget'], build: buildWidget },
};

/** Extensions of files in server/ and demo/ that are not copied to `dist/`. */
const NOT_ASSETS = new Set(['.ts', '.mjs']);

/** Copies a guide that the service serves at /docs. */
const copyGuide = (path) => cpSync(join(projectRoot, path), join(next, path));

/** Returns true if `dist/` is up to date with the sources. */
export const isBuilt = () => Object.keys(targets).every(isCurrent);

/**
 * Builds the targets that are not up to date in `dist/`.
 *
 * @param {{ only?: 'service' | 'widget' }} [options] builds both targets by default
 */
export async function ensureBuilt({ only } = {}) {
  const names = only ? [only] : Object.keys(targets);
  if (names.every(isCurrent)) return;
  const work = async () => {
    const stale = names.filter((name) => !isCurrent(name));
    if (stale.length === 0) return;
    const startedAtMs = Date.now();
    rmSync(next, { recursive: true, force: true });
    await Promise.all(stale.map(build));
    rmSync(next, { recursive: true, force: true });
    logProgress(`Built ${stale.join(' and ')} in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s.`);
  };
  await withLock(join(dist, '.lock'), work);
}

const stampOf = (name) => join(dist, `.${name}-stamp`);
const expectedStamp = (name) => fingerprint(projectRoot, [...targets[name].sources, 'tsconfig.json', 'package-lock.json']);

function isCurrent(name) {
  return existsSync(stampOf(name)) && readFileSync(stampOf(name), 'utf8') === expectedStamp(name);
}

/** Builds into a temporary folder and moves the result, so that no incomplete build is served. */
async function build(name) {
  const { folders, build: run } = targets[name];
  // Calculated before the build, so that files saved during the build are built again.
  const stamp = expectedStamp(name);
  mkdirSync(next, { recursive: true });
  await run();
  rmSync(stampOf(name), { force: true });
  for (const folder of folders.filter((candidate) => existsSync(join(next, candidate)))) {
    rmSync(join(dist, folder), { recursive: true, force: true });
    renameSync(join(next, folder), join(dist, folder));
  }
  writeFileSync(stampOf(name), stamp);
}

async function buildService() {
  // Without type checking, which is part of `npm test`. Syntax errors are still reported.
  const emit = (config) => runTool(bin('typescript/bin/tsc'), ['-p', config, '--noCheck', '--outDir', next]);
  // The client is built with type declarations, because package.json exports it.
  await Promise.all([emit('server/setup/tsconfig.json'), emit('server/setup/tsconfig.client.json')]);
  for (const folder of ['server', 'demo']) copyAssets(folder);
  copyGuide('shared/client/README.md');
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  writeFileSync(join(next, 'server', 'sbom.json'), `${JSON.stringify(sbomOf(lock), null, 2)}\n`);
}

/** @param {string} folder */
function copyAssets(folder) {
  const unused = ['setup', 'decisions'].map((name) => join(projectRoot, 'server', name));
  const filter = (path) => !unused.includes(path) && !NOT_ASSETS.has(extname(path));
  cpSync(join(projectRoot, folder), join(next, folder), { recursive: true, filter });
}

async function buildWidget() {
  const folder = join(next, 'widget');
  const types = ['-p', join('widget', 'build', 'tsconfig.json'), '--noCheck', '--outDir', join(folder, 'types')];
  await Promise.all([
    runTool(join(projectRoot, 'widget', 'build', 'build.mjs'), [folder]),
    runTool(bin('typescript/bin/tsc'), types),
    runTool(join(projectRoot, 'widget', 'manifest', 'build.mjs'), [join(folder, 'manifest')]),
  ]);
  copyGuide('widget/README.md');
}

/**
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<void>}
 */
function runTool(script, args) {
  return new Promise((resolve, reject) => {
    // With NODE_ENV=test of a caller, Lit's development build would be bundled.
    const env = { ...process.env, NODE_ENV: 'production' };
    const child = spawn(process.execPath, [script, ...args], { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const append = (chunk) => (output += chunk);
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve();
      const command = ['node', script, ...args].map((part) => part.replace(`${projectRoot}/`, '')).join(' ');
      reject(new SetupError(`${output}\nThe build failed: "${command}" exited with code ${code}; its output is above.`));
    });
  });
}

/**
 * Returns a hash of the names and contents of files. Modification times are not included, so that switching to another branch and back
 * builds nothing.
 *
 * @param {string} root
 * @param {string[]} paths files and folders below `root`; missing ones are ignored
 * @returns {string}
 */
export function fingerprint(root, paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => filesUnder(root, path))) {
    const contents = readFileSync(join(root, file));
    hash.update(`${file}\n${contents.length}\n`).update(contents);
  }
  return hash.digest('hex');
}

/** @returns {string[]} paths relative to `root`, sorted */
function filesUnder(root, path) {
  const entry = statSync(join(root, path), { throwIfNoEntry: false });
  if (entry === undefined) return [];
  if (!entry.isDirectory()) return [path];
  const names = readdirSync(join(root, path)).toSorted();
  return names.flatMap((name) => filesUnder(root, `${path}/${name}`));
}

/** `npm run build`: installs missing packages, and builds what is not up to date. */
async function main() {
  if (isBuilt()) return;
  await ensureDependencies();
  await ensureBuilt();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runEntry(main);
