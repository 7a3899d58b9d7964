/** The packages of the project, packed and installed as their users do. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onCleanup } from './cleanup.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** Folders of the packages. */
export const packages = { client: 'shared/client', button: 'widget', service: '.' } as const;
export type PackageName = keyof typeof packages;

export interface PackageJson {
  name: string;
  version: string;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
}

export const packageJsonOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;

/** Packs a package as `npm publish` does, and returns its tarball. */
export async function packTarball(name: PackageName): Promise<string> {
  const folder = join(root, packages[name]);
  const destination = temporaryFolder();
  await run('npm', ['pack', '--offline', '--pack-destination', destination], { cwd: folder });
  return join(destination, readdirSync(destination)[0]!);
}

/** Extracts a tarball into a folder. */
export async function extract(tarball: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

/**
 * Creates an empty project and installs tarballs in it. Works without a network and without a cache of npm: packages that the tarballs
 * need are copied from those of the repository.
 *
 * @param needed - Names of packages. Their own dependencies are added.
 * @returns The folder of the project.
 */
export async function installTarballs(tarballs: readonly string[], needed: readonly string[] = []): Promise<string> {
  const project = temporaryFolder();
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  const copied = [...new Set(needed.flatMap(withDependencies))].map(installed);
  const options = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund'];
  const cache = join(temporaryFolder(), 'cache');
  await run('npm', ['install', ...options, '--cache', cache, ...tarballs, ...copied], { cwd: project });
  return project;
}

const withDependencies = (name: string): string[] => [
  name,
  ...Object.keys(packageJsonOf(installed(name)).dependencies ?? {}).flatMap(withDependencies),
];

/** The folder of a package of the repository. */
export const installed = (name: string) => join(root, 'node_modules', name);

/** Paths of all files below a folder. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(folder, posix.join(entry.parentPath, entry.name)))
    .toSorted();
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-package-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
