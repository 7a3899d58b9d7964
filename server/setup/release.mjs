/**
 * `npm run release -- [VERSION] [--dry-run]`: releases all packages and plug-ins with one version, by default the next minor. The first
 * release is `npm run release -- 0.1.0`.
 *
 * Packs the committed files in a temporary folder. Then it commits the version and the section of the changelog, and adds a tag. The
 * files to publish are in `data/releases/VERSION/`: tarballs, the zip of the WooCommerce plug-in, a bill of materials of the service, release notes,
 * and the checksums of all of them. A dry run does the same without changing this folder.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './dependencies.mjs';
import { projectRoot, repositoryUrl, runEntry, SetupError } from './project.mjs';

const packages = ['.', 'shared/client', 'widget', 'widget/recipes/medusa', 'widget/recipes/vendure'];
/** The folder of the WooCommerce plug-in, whose header has the version. */
const plugIn = 'widget/recipes/woocommerce';

await runEntry(() => {
  const { values, positionals } = parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true });
  if (git('status', '--porcelain')) throw new SetupError('There are files that are not committed: commit or remove them.');
  const version = nextVersion(readJson(projectRoot, 'package.json').version, positionals[0]);
  if (hasTag(version)) throw new SetupError(`The tag v${version} exists.`);
  ensureDependencies();

  const temporary = mkdtempSync(join(tmpdir(), 'fairterm-release-'));
  const sources = join(temporary, 'sources');
  git('worktree', 'add', '--quiet', '--detach', sources);
  try {
    const files = join(temporary, 'files');
    mkdirSync(files);
    symlinkSync(join(projectRoot, 'node_modules'), join(sources, 'node_modules'));
    const changed = setVersion(sources, version);
    // npm prints the contents and the sizes.
    const pack = ['pack', '--pack-destination', files];
    for (const folder of packages) execFileSync('npm', pack, { cwd: join(sources, folder), stdio: 'inherit' });
    execFileSync('git', ['add', ...changed], { cwd: sources });
    const tree = execFileSync('git', ['write-tree'], { cwd: sources, encoding: 'utf8' }).trim();
    const zip = join(files, `fairterm-woocommerce-${version}.zip`);
    git('archive', '-0', '--prefix', 'fairterm/', '--output', zip, `${tree}:${plugIn}`);
    const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'];
    writeFileSync(join(files, 'sbom.json'), execFileSync('npm', sbom, { cwd: sources }));
    writeFileSync(join(files, 'release-notes.md'), notesOf(sources, version));
    writeFileSync(join(files, 'SHA256SUMS'), checksumsOf(files));
    if (values['dry-run']) {
      console.log(`\nThis was a dry run of the release ${version}: nothing has changed.`);
      return;
    }
    for (const file of changed) cpSync(join(sources, file), join(projectRoot, file));
    git('commit', '--quiet', '--message', `release: ${version}`, ...changed);
    git('tag', `v${version}`);
    const released = join('data/releases', version);
    cpSync(files, join(projectRoot, released), { recursive: true });
    printNextSteps(version, released);
  } finally {
    git('worktree', 'remove', '--force', sources);
    rmSync(temporary, { recursive: true, force: true });
  }
});

function hasTag(version) {
  return git('tag', '--list', `v${version}`) !== '';
}

/**
 * Returns the version after `current`, or `current` itself before it is released.
 *
 * @param requested - A version such as `1.2.3`, or `major`, `minor` (default) or `patch`
 */
function nextVersion(current, requested = 'minor') {
  const [major, minor, patch] = current.split('.').map(Number);
  const next = { major: `${major + 1}.0.0`, minor: `${major}.${minor + 1}.0`, patch: `${major}.${minor}.${patch + 1}` };
  const version = next[requested] ?? requested;
  const order = version.localeCompare(current, 'en', { numeric: true });
  const isNext = order > 0 || (order === 0 && !hasTag(current));
  if (/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version) && isNext) return version;
  throw new SetupError(`Expected major, minor, patch or a version after ${current}, received ${requested}`);
}

/** Sets version and repository of all packages, and moves the unreleased changes to its section. Returns the changed files. */
function setVersion(folder, version) {
  const url = git('remote').split('\n').includes('origin') ? repositoryUrl(git('remote', 'get-url', 'origin')) : undefined;
  for (const path of packages) {
    const repository = url && { type: 'git', url, ...(path !== '.' && { directory: path }) };
    const file = join(path, 'package.json');
    const { peerDependencies: peers, ...content } = readJson(folder, file);
    const peerDependencies = peers && { ...peers, ...(peers['@fairterm/client'] && { '@fairterm/client': version }) };
    writeJson(folder, file, { ...content, version, ...(repository && { repository }), ...(peers && { peerDependencies }) });
  }
  const lock = readJson(folder, 'package-lock.json');
  for (const entry of [lock, lock.packages[''], lock.packages['shared/client']]) entry.version = version;
  writeJson(folder, 'package-lock.json', lock);

  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  const date = new Date().toISOString().slice(0, 10);
  const withSection = changelog.replace(/^## Unreleased\n\n(?!## )(?=\S)/m, `## Unreleased\n\n## ${version} – ${date}\n\n`);
  if (withSection === changelog) throw new SetupError('CHANGELOG.md has no unreleased changes.');
  writeFileSync(join(folder, 'CHANGELOG.md'), withSection);

  const header = join(plugIn, 'fairterm.php');
  writeFileSync(
    join(folder, header),
    readFileSync(join(folder, header), 'utf8').replace(/^ \* Version: .*$/m, ` * Version: ${version}`),
  );
  const manifests = packages.map((path) => join(path, 'package.json'));
  // `npm test` checks the order of the fields.
  execFileSync('npx', ['oxfmt', ...manifests], { cwd: folder });
  return [...manifests, 'package-lock.json', 'CHANGELOG.md', header];
}

/** Returns the section of the changelog about a version, with a title. */
function notesOf(folder, version) {
  const [, section] = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').split(`## ${version} – `);
  return `# Fairterm ${version}\n\n${section
    .split(/^## /m)[0]
    .replace(/^.*\n+/, '')
    .trim()}\n`;
}

/** Returns the checksums of the files in a folder, as `sha256sum --check` reads them. */
function checksumsOf(folder) {
  const lines = readdirSync(folder).map((name) => {
    const hash = createHash('sha256').update(readFileSync(join(folder, name)));
    return `${hash.digest('hex')}  ${name}\n`;
  });
  return lines.join('');
}

function printNextSteps(version, released) {
  const published = readdirSync(join(projectRoot, released)).filter((name) =>
    /^fairterm-(client|button|medusa|vendure)-/.test(name),
  );
  if (!readJson(projectRoot, 'package.json').repository) {
    console.log('\nThere is no remote `origin`: set `repository` in the packages, or npm rejects their provenance.');
  }
  const steps = [
    `git push origin HEAD v${version}`,
    ...published.map((name) => `npm publish ${join(released, name)} --provenance --access public`),
  ];
  console.log(
    `\nReleased ${version}. Attach the files in ${released}/ to the release, and run in its CI job:\n\n${steps.join('\n')}`,
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
