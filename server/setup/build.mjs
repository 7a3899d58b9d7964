import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprint } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { projectRoot, runEntry, say, SetupError } from './project.mjs';

const dist = join(projectRoot, 'dist');
const next = join(dist, '.next');
const bin = (name) => join(projectRoot, 'node_modules', name);

/** What is built, from what, into which folders of `dist/`. The parts do not depend on each other. */
const parts = {
  service: { sources: ['shared', 'server', 'demo'], rooms: ['shared', 'server', 'demo'], build: buildService },
  widget: { sources: ['shared', 'widget', 'package.json'], rooms: ['widget'], build: buildWidget },
};

/** Everything else in server/ and demo/ is served or read as it is: styles, browser scripts, guides, pictures, data. */
const NOT_ASSETS = new Set(['.ts', '.mjs']);

/** A guide that the service shows at /docs. */
const copyGuide = (path) => cpSync(join(projectRoot, path), join(next, path));

/** Whether `dist/` is up to date with the sources. */
export const isBuilt = () => Object.keys(parts).every(isCurrent);

/**
 * Brings `dist/` up to date with the sources. Costs some tens of milliseconds when it already is.
 *
 * @param {{ only?: 'service' | 'widget' }} [options] one part alone; both by default
 */
export async function ensureBuilt({ only } = {}) {
  const names = only ? [only] : Object.keys(parts);
  if (names.every(isCurrent)) return;
  const work = async () => {
    const stale = names.filter((name) => !isCurrent(name));
    if (stale.length === 0) return;
    const startedAtMs = Date.now();
    rmSync(next, { recursive: true, force: true });
    await Promise.all(stale.map(build));
    rmSync(next, { recursive: true, force: true });
    say(`Built ${stale.join(' and ')} in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s.`);
  };
  await withLock(join(dist, '.lock'), work);
}

const stampOf = (name) => join(dist, `.${name}-stamp`);
const expectedStamp = (name) => fingerprint(projectRoot, [...parts[name].sources, 'tsconfig.json', 'package-lock.json']);

function isCurrent(name) {
  return existsSync(stampOf(name)) && readFileSync(stampOf(name), 'utf8') === expectedStamp(name);
}

/** Builds into a folder beside the real ones and moves it there when it is whole, so that no half-built file is ever served. */
async function build(name) {
  const { rooms, build: run } = parts[name];
  // Before the build: a file saved while it runs must lead to another one.
  const stamp = expectedStamp(name);
  mkdirSync(next, { recursive: true });
  await run();
  rmSync(stampOf(name), { force: true });
  for (const room of rooms.filter((candidate) => existsSync(join(next, candidate)))) {
    rmSync(join(dist, room), { recursive: true, force: true });
    renameSync(join(next, room), join(dist, room));
  }
  writeFileSync(stampOf(name), stamp);
}

async function buildService() {
  // Without type checking: a type error is `npm test`'s to report and need not keep anybody from starting; syntax errors still do.
  const emit = (config) => runTool(bin('typescript/bin/tsc'), ['-p', config, '--noCheck', '--outDir', next]);
  // The client's types beside its code: what package.json exports.
  await Promise.all([emit('server/setup/tsconfig.json'), emit('server/setup/tsconfig.client.json')]);
  for (const room of ['server', 'demo']) copyAssets(room);
  copyGuide('shared/client/README.md');
}

/** @param {string} room */
function copyAssets(room) {
  const unused = ['setup', 'decisions'].map((name) => join(projectRoot, 'server', name));
  const filter = (path) => !unused.includes(path) && !NOT_ASSETS.has(extname(path));
  cpSync(join(projectRoot, room), join(next, room), { recursive: true, filter });
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
    // A caller under test would have lit's development build bundled.
    const env = { ...process.env, NODE_ENV: 'production' };
    const child = spawn(process.execPath, [script, ...args], { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => (output += chunk);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve();
      const command = ['node', script, ...args].map((word) => word.replace(`${projectRoot}/`, '')).join(' ');
      reject(new SetupError(`${output}\nThe build failed: "${command}" ended with exit code ${code}; its output is above.`));
    });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runEntry(ensureBuilt);
