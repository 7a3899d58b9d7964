/** A Git repository with the project's files, in which a test makes releases. */
import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageJsonOf, packages, temporaryFolder } from './packages.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE', 'README.md', '.gitignore', '.oxfmtrc.json'];
const folders = ['shared', 'server', 'widget', 'demo'];

export interface ReleaseRepository {
  /** The folder of the repository. */
  root: string;
  /** Runs Git, and returns its output. */
  git(...args: string[]): Promise<string>;
  /** Runs `npm run release`. */
  release(...args: string[]): Promise<{ stdout: string; stderr: string }>;
}

/** Creates a repository whose packages have this version. */
export async function createReleaseRepository(version: string, changelog: string): Promise<ReleaseRepository> {
  const root = temporaryFolder();
  const run = (command: string, ...args: string[]) => promisify(execFile)(command, args, { cwd: root });
  const git = async (...args: string[]) => (await run('git', ...args)).stdout.trim();
  for (const path of [...files, ...folders]) {
    const filter = (source: string) => !source.endsWith('/dist');
    cpSync(join(projectRoot, path), join(root, path), { recursive: true, filter });
  }
  for (const folder of Object.values(packages)) {
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ ...packageJsonOf(join(root, folder)), version }));
  }
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  await git('init', '--quiet', '--initial-branch', 'main');
  appendFileSync(join(root, '.git/info/exclude'), 'node_modules\n');
  const settings = { 'user.name': 'Ada', 'user.email': 'ada@example.com', 'commit.gpgsign': 'false' };
  for (const [name, value] of Object.entries(settings)) await git('config', name, value);
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'start');
  return { root, git, release: (...args) => run(process.execPath, 'server/setup/release.mjs', ...args) };
}
