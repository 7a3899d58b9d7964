/** The scripts of package.json in a fresh clone, with existing packages, and in a production installation. */
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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildProject } from '../support/process.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of a build. */
const outputs = ['dist', 'shared/client/dist', 'widget/dist'];

/** Returns the folder of a copy of the project's sources, without packages and without a build. */
function createClone(): string {
  const root = mkdtempSync(join(tmpdir(), 'fairterm-setup-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const isSource = (path: string) => !outputs.includes(relative(repository, path));
  for (const path of ['package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE', 'shared', 'server', 'widget', 'demo']) {
    cpSync(join(repository, path), join(root, path), { recursive: true, filter: isSource });
  }
  return root;
}

/** Runs a program, with an `npm` command that runs `npmCode`. By default, that fails. */
async function run(root: string, [program, ...args]: [string, ...string[]], npmCode = 'exit 1') {
  const trace = join(root, 'npm-was-run');
  const folder = join(root, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\ntouch '${trace}'\n${npmCode}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const child = spawn(program, args, { cwd: root, env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout, stderr, npmWasRun: existsSync(trace) };
}

const build = (root: string) => run(root, [process.execPath, 'server/setup/build.mjs']);
const builtCli = (root: string) => readFileSync(join(root, 'dist', 'server', 'cli.js'), 'utf8');

test('npm run build in a fresh clone fails with an instruction if npm fails', async () => {
  const { exitCode, stderr } = await build(createClone());
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('npm failed with exit code 1; its output is above.')]);
});

test('npm run fairterm in a fresh clone installs and builds, and a changed file is built again, also by two processes at once', async () => {
  const root = createClone();
  const install = `echo added 600 packages; ln -s '${repository}/node_modules' '${root}/node_modules'`;
  const command = [process.execPath, 'server/setup/fairterm.mjs', 'data-key', 'create', '--json'] as [string, ...string[]];
  const { exitCode, stdout, stderr, npmWasRun } = await run(root, command, install);
  expect([exitCode, npmWasRun, stderr]).toEqual([0, true, expect.stringMatching(/added 600 packages[^]*Building/)]);
  // Only the JSON of the command.
  expect(JSON.parse(stdout)).toBeTypeOf('object');
  expect(publishedFiles(root).filter((file) => !existsSync(join(root, file)))).toEqual([]);

  // Another time, as after a change of branches and back.
  utimesSync(join(root, 'server', 'cli.ts'), new Date(), new Date());
  expect(await build(root)).toMatchObject({ exitCode: 0, stderr: '' });

  appendFileSync(join(root, 'server', 'cli.ts'), '\nconst =;\n');
  const failed = await build(root);
  expect([failed.exitCode, failed.stderr]).toEqual([1, expect.stringMatching(/cli\.ts[^]*The build failed/)]);
  expect(builtCli(root)).toContain('dispatch');

  cpSync(join(repository, 'server', 'cli.ts'), join(root, 'server', 'cli.ts'));
  appendFileSync(join(root, 'server', 'cli.ts'), '\nglobalThis.isChanged = true;\n');
  const processes = await Promise.all([build(root), run(root, ['sh', '-c', scriptOf(root, 'prepare')])]);
  expect(processes.map((process) => process.exitCode)).toEqual([0, 0]);
  expect(builtCli(root)).toContain('isChanged');
  expect(publishedFiles(root).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(readdirSync(join(root, '.dist'))).toEqual([]);
  expect(await build(root)).toMatchObject({ exitCode: 0, stderr: '' });
}, 240_000);

type Exports = string | { [condition: string]: Exports };

interface PackageJson {
  scripts: Record<string, string>;
  bin?: Record<string, string>;
  exports: Exports;
}

const packageJsonOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;

const scriptOf = (root: string, name: string) => packageJsonOf(root).scripts[name]!;

/** Returns the files that the packages name as commands and exports. */
function publishedFiles(root: string): string[] {
  const filesOf = (exports: Exports): string[] =>
    typeof exports === 'string' ? [exports] : Object.values(exports).flatMap(filesOf);
  return ['.', 'shared/client', 'widget'].flatMap((folder) => {
    const { bin = {}, exports } = packageJsonOf(join(root, folder));
    return [...Object.values(bin), ...filesOf(exports)].map((file) => join(folder, file));
  });
}

describe('After npm ci --omit=dev', () => {
  beforeAll(buildProject, 120_000);

  /** Returns the folder of a built copy of the project with only the production packages. */
  const createProductionInstall = () => {
    const root = createClone();
    for (const output of outputs) cpSync(join(repository, output), join(root, output), { recursive: true });
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: true }>;
    };
    const { '': _project, ...locked } = lock.packages;
    const isProductionPackage = ([path, { dev }]: [string, { dev?: true }]) => !dev && existsSync(join(repository, path));
    const packages = Object.fromEntries(Object.entries(locked).filter(isProductionPackage));
    for (const path of Object.keys(packages).filter((name) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name))) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(join(repository, path), join(root, path));
    }
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
    return root;
  };
  const help: [string, ...string[]] = [process.execPath, 'server/setup/fairterm.mjs', 'help'];

  test('npm run fairterm runs the command and installs nothing', async () => {
    const { exitCode, stdout, npmWasRun } = await run(createProductionInstall(), help);
    expect([exitCode, npmWasRun]).toEqual([0, false]);
    expect(stdout).toContain('fairterm serve');
  });

  test('npm start finds its packages and installs nothing', async () => {
    const script = `await (await import('./server/setup/build.mjs')).ensureBuilt();`;
    const result = await run(createProductionInstall(), [process.execPath, '--input-type=module', '--eval', script]);
    expect(result).toEqual({ exitCode: 0, stdout: '', stderr: '', npmWasRun: false });
  });

  test('an outdated build remains: npm’s prepare script succeeds, and npm run fairterm fails with an instruction', async () => {
    const root = createProductionInstall();
    appendFileSync(join(root, 'server', 'cli.ts'), '\nglobalThis.isChanged = true;\n');
    const packages = readdirSync(join(root, 'node_modules'));

    const prepared = await run(root, ['sh', '-c', scriptOf(root, 'prepare')]);
    expect(prepared).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('the development packages are not installed'),
    });
    const { exitCode, stderr, npmWasRun } = await run(root, help);
    expect([exitCode, npmWasRun, stderr]).toEqual([1, false, expect.stringContaining('Stop the service, then run "npm ci".')]);
    expect(builtCli(root)).not.toContain('isChanged');
    expect(readdirSync(join(root, 'node_modules'))).toEqual(packages);
  });
});
