/** `npm run release` in a repository with the project's files. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { repositoryUrl } from '../../server/setup/project.mjs';
import { extract, packageJsonOf, packages, temporaryFolder } from '../support/packages.ts';
import { createReleaseRepository, type ReleaseRepository } from '../support/release.ts';

const changelog =
  '# Changelog\n\n## Unreleased\n\n- `fairterm` has a new command.\n\n## 0.0.1 – 2026-01-01\n\n- The first release.\n';

it.each([
  ['https://ci:secret@code.example/shop/fairterm.git', 'git+https://code.example/shop/fairterm.git'],
  ['git@code.example:shop/fairterm.git', 'git+https://code.example/shop/fairterm.git'],
  ['ssh://git@code.example:2222/shop/fairterm.git', 'git+https://code.example/shop/fairterm.git'],
  ['/srv/git/fairterm.git', undefined],
])('The repository of the remote %s is named without credentials', (remote, url) => {
  expect(repositoryUrl(remote)).toBe(url);
});

describe('A release', () => {
  let root: string;
  let git: ReleaseRepository['git'];
  let release: ReleaseRepository['release'];
  const rejection = (...args: string[]) => release(...args).then(String, ({ stderr }: { stderr: string }) => stderr.trim());
  const versions = () => Object.values(packages).map((folder) => packageJsonOf(join(root, folder)).version);

  beforeAll(async () => {
    ({ root, git, release } = await createReleaseRepository('0.9.0', changelog));
  });

  it('prints the contents and sizes of the tarballs in a dry run of the present version, which has no tag, and changes nothing', async () => {
    const before = await git('rev-parse', 'HEAD');
    const { stdout, stderr } = await release('0.9.0', '--dry-run');

    expect(stdout).toMatch(/fairterm-0\.9\.0\.tgz[^]*fairterm-client-0\.9\.0\.tgz[^]*fairterm-button-0\.9\.0\.tgz[^]*dry run/);
    expect(stderr).toMatch(/dist\/esm\/index\.js[^]*package size/);
    expect(await git('rev-parse', 'HEAD')).toBe(before);
    expect([await git('status', '--porcelain', '--ignored', '--', ':!node_modules'), await git('tag')]).toEqual(['', '']);
  });

  it.each([
    ['0.8.9', 'Expected major, minor, patch or a version after 0.9.0, received 0.8.9'],
    ['next', 'Expected major, minor, patch or a version after 0.9.0, received next'],
  ])('is rejected with the version %s', async (version, message) => {
    expect(await rejection(version)).toBe(message);
  });

  it('is rejected while files are not committed', async () => {
    writeFileSync(join(root, 'shared/new.ts'), '');
    expect(await rejection('--dry-run')).toContain('There are files that are not committed');
    await git('clean', '--quiet', '--force', 'shared');
  });

  it('commits the version of all packages with the section of the changelog, adds a tag, and makes the files to publish', async () => {
    await git('remote', 'add', 'origin', 'https://ci:secret@code.example/shop/fairterm.git');
    const { stdout } = await release('patch');

    expect(versions()).toEqual(['0.9.1', '0.9.1', '0.9.1']);
    const { version, packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    expect([version, locked[''].version, locked['shared/client'].version]).toEqual(['0.9.1', '0.9.1', '0.9.1']);
    const released = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const [heading] = /^## 0\.9\.1 – \d{4}-\d\d-\d\d$/m.exec(released)!;
    expect(released).toBe(changelog.replace('## Unreleased\n', `## Unreleased\n\n${heading}\n`));
    expect([await git('status', '--porcelain'), await git('log', '-1', '--format=%s%d')]).toEqual([
      '',
      'release: 0.9.1 (HEAD -> main, tag: v0.9.1)',
    ]);
    const manifests = (await git('diff', '--name-only', 'HEAD~1', '--', '*package.json')).split('\n');
    expect(manifests.length).toBe(5);
    await promisify(execFile)('npx', ['oxfmt', '--check', ...manifests], { cwd: root });
    const tarballs = ['fairterm', 'fairterm-client', 'fairterm-button', 'fairterm-medusa', 'fairterm-vendure'].map(
      (name) => `data/releases/0.9.1/${name}-0.9.1.tgz`,
    );
    expect(tarballs.filter((tarball) => !existsSync(join(root, tarball)))).toEqual([]);
    const medusa = temporaryFolder();
    await extract(join(root, tarballs[3]!), medusa);
    expect(packageJsonOf(medusa)).toMatchObject({ version: '0.9.1', peerDependencies: { '@fairterm/client': '0.9.1' } });
    const client = temporaryFolder();
    await extract(join(root, tarballs[1]!), client);
    const repository = { type: 'git', url: 'git+https://code.example/shop/fairterm.git', directory: 'shared/client' };
    expect(packageJsonOf(client)).toMatchObject({ name: '@fairterm/client', version: '0.9.1', repository });
    const folder = join(root, 'data/releases/0.9.1');
    await promisify(execFile)('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
    expect(readFileSync(join(folder, 'release-notes.md'), 'utf8')).toBe('# Fairterm 0.9.1\n\n- `fairterm` has a new command.\n');
    const { metadata, components } = JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8'));
    expect([metadata.component.purl, components.map(({ name }: { name: string }) => name)]).toEqual([
      'pkg:npm/fairterm@0.9.1',
      expect.arrayContaining(['koa', 'better-sqlite3']),
    ]);
    const zip = readFileSync(join(folder, 'fairterm-woocommerce-0.9.1.zip'), 'latin1');
    expect(zip).toMatch(/^PK.*fairterm\/fairterm\.php/s);
    expect(zip).toContain(' * Version: 0.9.1\n');
    const guide = readFileSync(join(root, 'widget/recipes/woocommerce/README.md'), 'utf8');
    const linked = [...guide.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, file]) => `fairterm/${file}`);
    expect(linked.filter((file) => !zip.includes(file))).toEqual([]);
    expect(await git('worktree', 'list')).not.toContain('\n');
    for (const tarball of tarballs.slice(1)) expect(stdout).toContain(`npm publish ${tarball} --provenance --access public`);
    expect(stdout).not.toContain('npm publish data/releases/0.9.1/fairterm-0.9.1.tgz');
  });

  it('is rejected without unreleased changes', async () => {
    expect(await rejection('0.10.0', '--dry-run')).toBe('CHANGELOG.md has no unreleased changes.');
    expect(await rejection('0.9.1')).toBe('Expected major, minor, patch or a version after 0.9.1, received 0.9.1');
    expect(versions()).toEqual(['0.9.1', '0.9.1', '0.9.1']);
  });
});
