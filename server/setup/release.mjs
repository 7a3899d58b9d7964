/**
 * `npm run release -- [VERSION] [--dry-run]`: releases the service, the client and the button with one version, by default the next minor.
 *
 * Packs the committed files in a temporary folder. Then it commits the version and the section of the changelog, and adds a tag. The
 * tarballs are in `data/releases/VERSION/`. A dry run does the same without changing this folder.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './dependencies.mjs';
import { projectRoot, repositoryUrl, runEntry, SetupError } from './project.mjs';

const packages = ['.', 'shared/client', 'widget'];

await runEntry(() => {
  const { values, positionals } = parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true });
  if (git('status', '--porcelain')) throw new SetupError('There are files that are not committed: commit or remove them.');
  const version = nextVersion(readJson(projectRoot, 'package.json').version, positionals[0]);
  if (git('tag', '--list', `v${version}`)) throw new SetupError(`The tag v${version} exists.`);
  ensureDependencies();

  const temporary = mkdtempSync(join(tmpdir(), 'fairterm-release-'));
  try {
    const sources = join(temporary, 'sources');
    const tarballs = join(temporary, 'tarballs');
    for (const folder of [sources, tarballs]) mkdirSync(folder);
    const archive = join(temporary, 'sources.tar');
    git('archive', '--output', archive, 'HEAD');
    execFileSync('tar', ['-xf', archive, '-C', sources]);
    symlinkSync(join(projectRoot, 'node_modules'), join(sources, 'node_modules'));
    const changed = setVersion(sources, version);
    // npm prints the contents and the sizes.
    const pack = ['pack', '--pack-destination', tarballs];
    for (const folder of packages) execFileSync('npm', pack, { cwd: join(sources, folder), stdio: 'inherit' });
    if (values['dry-run']) {
      console.log(`\nThis was a dry run of the release ${version}: nothing has changed.`);
      return;
    }
    for (const file of changed) cpSync(join(sources, file), join(projectRoot, file));
    git('commit', '--quiet', '--message', `release: ${version}`, ...changed);
    git('tag', `v${version}`);
    const released = join('data/releases', version);
    cpSync(tarballs, join(projectRoot, released), { recursive: true });
    printNextSteps(version, released);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
});

/** Returns the version after `current`. @param requested - A version such as `1.2.3`, or `major`, `minor` (default) or `patch` */
function nextVersion(current, requested = 'minor') {
  const [major, minor, patch] = current.split('.').map(Number);
  const next = { major: `${major + 1}.0.0`, minor: `${major}.${minor + 1}.0`, patch: `${major}.${minor}.${patch + 1}` };
  const version = next[requested] ?? requested;
  const isLater = version.localeCompare(current, 'en', { numeric: true }) > 0;
  if (/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version) && isLater) return version;
  throw new SetupError(`Expected major, minor, patch or a version after ${current}, received ${requested}`);
}

/** Sets version and repository of all packages, and moves the unreleased changes to its section. Returns the changed files. */
function setVersion(folder, version) {
  const url = git('remote').split('\n').includes('origin') ? repositoryUrl(git('remote', 'get-url', 'origin')) : undefined;
  for (const path of packages) {
    const repository = url && { type: 'git', url, ...(path !== '.' && { directory: path }) };
    const file = join(path, 'package.json');
    writeJson(folder, file, { ...readJson(folder, file), version, ...(repository && { repository }) });
  }
  const lock = readJson(folder, 'package-lock.json');
  for (const entry of [lock, lock.packages[''], lock.packages['shared/client']]) entry.version = version;
  writeJson(folder, 'package-lock.json', lock);

  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  const date = new Date().toISOString().slice(0, 10);
  const withSection = changelog.replace(/^## Unreleased\n\n(?=- )/m, `## Unreleased\n\n## ${version} – ${date}\n\n`);
  if (withSection === changelog) throw new SetupError('CHANGELOG.md has no unreleased changes.');
  writeFileSync(join(folder, 'CHANGELOG.md'), withSection);
  return [...packages.map((path) => join(path, 'package.json')), 'package-lock.json', 'CHANGELOG.md'];
}

function printNextSteps(version, released) {
  const published = readdirSync(join(projectRoot, released)).filter((name) => /^fairterm-(client|button)-/.test(name));
  if (!readJson(projectRoot, 'package.json').repository) {
    console.log('\nThere is no remote `origin`: set `repository` in the packages, or npm rejects their provenance.');
  }
  const steps = [
    `git push origin HEAD v${version}`,
    ...published.map((name) => `npm publish ${join(released, name)} --provenance --access public`),
  ];
  console.log(
    `\nReleased ${version}. Attach the tarballs in ${released}/ to the release, and run in its CI job:\n\n${steps.join('\n')}`,
  );
}

function git(...args) {
  return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim();
}

function readJson(folder, file) {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

function writeJson(folder, file, value) {
  writeFileSync(join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
}
