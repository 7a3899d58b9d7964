/** `npm start` and `npm run fairterm` with existing packages. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  type WriteFileOptions,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildService, buildWidget } from '../support/process.ts';
import { until } from '../support/time.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const write = (file: string, text: string, options?: WriteFileOptions) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, options);
};

/** Returns the folder of a copy of the project's sources, without packages and without a build. */
function createClone(): string {
  const root = createFolder();
  for (const path of ['package.json', 'package-lock.json', 'tsconfig.json', 'shared', 'server', 'widget', 'demo']) {
    cpSync(join(repository, path), join(root, path), { recursive: true });
  }
  return root;
}

/** Runs a script of package.json. */
async function npmRun(root: string, script: string) {
  const child = spawn('npm', ['run', script], { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output };
}

/** Runs a script with an `npm` command that runs `code`, creates a file, and fails. */
async function run(root: string, args: string[], code = '') {
  const trace = join(root, 'npm-was-run');
  write(join(root, 'bin', 'npm'), `#!/bin/sh\n${code}\ntouch '${trace}'\nexit 1\n`, { mode: 0o755 });
  const { npm_execpath: _npm, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${join(root, 'bin')}:${inherited.PATH}` };
  const child = spawn(process.execPath, args, { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output, npmWasRun: existsSync(trace) };
}

describe('After npm ci --omit=dev', () => {
  beforeAll(async () => {
    await buildService();
    await buildWidget();
  }, 120_000);

  /** Returns the folder of a built copy of the project with only the production packages. */
  const createProductionInstall = () => {
    const root = createClone();
    cpSync(join(repository, 'dist'), join(root, 'dist'), { recursive: true });
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: true }>;
    };
    const { '': _project, ...locked } = lock.packages;
    const isProductionPackage = ([path, { dev }]: [string, { dev?: true }]) => !dev && existsSync(join(repository, path));
    const packages = Object.fromEntries(Object.entries(locked).filter(isProductionPackage));
    write(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
    for (const path of Object.keys(packages).filter((name) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name))) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(join(repository, path), join(root, path));
    }
    return root;
  };

  test('npm run fairterm runs the command and installs nothing', async () => {
    const { exitCode, output, npmWasRun } = await run(createProductionInstall(), ['server/setup/fairterm.mjs', 'help']);
    expect([exitCode, npmWasRun]).toEqual([0, false]);
    expect(output).toContain('fairterm serve');
  });

  test('npm start finds its packages and installs nothing', async () => {
    const script = `await (await import('./server/setup/prepare.mjs')).ensureRunnable();`;
    const result = await run(createProductionInstall(), ['--input-type=module', '--eval', script]);
    expect(result).toEqual({ exitCode: 0, output: '', npmWasRun: false });
  });

  test('the prepare script of npm succeeds and leaves an outdated build, which it cannot update', async () => {
    const root = createProductionInstall();
    appendFileSync(join(root, 'server', 'cli.ts'), '\n// changed');
    const { exitCode, output } = await npmRun(root, 'prepare');
    expect([exitCode, output]).toEqual([0, expect.stringContaining('the development packages are not installed')]);
    expect(readFileSync(join(root, 'dist', 'server', 'cli.js'), 'utf8')).not.toContain('changed');
  });

  test.each<[string, (root: string) => void, string]>([
    [
      'the sources have changed since the build',
      (root) => appendFileSync(join(root, 'server', 'cli.ts'), '\n'),
      'Run "npm ci" and "npm run build"',
    ],
    [
      'a package is missing',
      (root) => {
        const file = join(root, 'node_modules', '.package-lock.json');
        const { packages } = JSON.parse(readFileSync(file, 'utf8'));
        delete packages['node_modules/koa'];
        writeFileSync(file, JSON.stringify({ packages }));
      },
      'run "npm ci"',
    ],
  ])('npm run fairterm fails with an instruction and does not change node_modules if %s', async (_title, change, instruction) => {
    const root = createProductionInstall();
    change(root);
    const before = readdirSync(join(root, 'node_modules'));
    const { exitCode, output, npmWasRun } = await run(root, ['server/setup/fairterm.mjs', 'help']);
    expect([exitCode, npmWasRun]).toEqual([1, false]);
    expect(output).toContain(instruction);
    expect(readdirSync(join(root, 'node_modules'))).toEqual(before);
  });
});

describe('In a fresh clone', () => {
  test('the prepare script of npm builds the package if the packages of the build are installed', async () => {
    const root = createClone();
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
    const { exitCode, output } = await npmRun(root, 'prepare');
    expect([exitCode, output]).toEqual([0, expect.stringContaining('Built service and widget')]);
    const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
      exports: Record<string, string | Record<string, string>>;
    };
    const files = [
      ...Object.values(bin),
      ...Object.values(exports).flatMap((file) => (typeof file === 'string' ? [file] : Object.values(file))),
    ];
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  }, 120_000);

  test('npm run build installs the packages, without waiting for the build that npm would run then', async () => {
    const root = createClone();
    const installs = 'mkdir -p node_modules/typescript; node server/setup/prepare.mjs';
    const { exitCode, output, npmWasRun } = await run(root, ['server/setup/build.mjs'], installs);
    expect([exitCode, npmWasRun]).toEqual([1, true]);
    expect(output).toContain('npm failed with exit code 1');
    expect(output).not.toContain('waiting');
  });
});

test('An interrupted installation leaves existing packages', async () => {
  const root = createFolder();
  let isRequested = false;
  // A registry that never sends the package.
  const registry = createServer(() => (isRequested = true)).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  onTestFinished(() => {
    registry.close();
    registry.closeAllConnections();
  });
  const registryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  const there = { version: '1.0.0', resolved: `${registryUrl}/there.tgz` };
  const late = { version: '1.0.0', resolved: `${registryUrl}/late.tgz` };
  const dependencies = { there: '1.0.0', late: '1.0.0' };
  const lock = (packages: object) => JSON.stringify({ name: 'shop', lockfileVersion: 3, requires: true, packages });
  write(join(root, 'package.json'), JSON.stringify({ name: 'shop', dependencies }));
  const lockedPackages = { 'node_modules/late': late, 'node_modules/there': there };
  write(join(root, 'package-lock.json'), lock({ '': { name: 'shop', dependencies }, ...lockedPackages }));
  write(join(root, 'node_modules', 'there', 'package.json'), JSON.stringify({ name: 'there', version: '1.0.0' }));
  write(join(root, 'node_modules', '.package-lock.json'), lock({ 'node_modules/there': there }));

  const setup = pathToFileURL(join(repository, 'server', 'setup', 'dependencies.mjs')).href;
  const script = `import { ensureDependencies } from ${JSON.stringify(setup)}; await ensureDependencies(${JSON.stringify(root)});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore', detached: true });
  const ended = once(child, 'close');
  await until(() => isRequested, 20_000);
  process.kill(-child.pid!, 'SIGKILL');
  await ended;

  expect(existsSync(join(root, 'node_modules', 'there', 'package.json'))).toBe(true);
});
