import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { projectRoot, say, SetupError } from '../../server/setup/project.mjs';

const isRoot = process.getuid?.() === 0;

/** Chromium's own sandbox cannot start under root nor in most containers; the pages opened here are ours. */
const sandboxArgs = isRoot || process.env.CI ? ['--no-sandbox'] : [];

/** Launch arguments for every browser a test starts. Nothing but the pages under test may reach for the network. */
export const browserArgs = [
  ...sandboxArgs,
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome', 'microsoft-edge'];
const places = {
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter(Boolean)
    .flatMap((folder) => [
      join(folder, 'Google/Chrome/Application/chrome.exe'),
      join(folder, 'Microsoft/Edge/Application/msedge.exe'),
    ]),
  linux: [
    '/opt/google/chrome/chrome',
    '/usr/lib/chromium/chromium',
    '/usr/lib64/chromium-browser/chromium-browser',
    '/snap/bin/chromium',
  ],
};

/** How to install one without leaving the package manager; the fonts make text look like text. */
const packageManagers = [
  { command: 'apt-get', steps: [['update'], ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation']] },
  { command: 'apk', steps: [['add', '--no-cache', 'chromium', 'ttf-liberation']] },
  { command: 'dnf', steps: [['install', '-y', 'chromium', 'liberation-fonts']] },
  { command: 'pacman', steps: [['-Sy', '--noconfirm', 'chromium', 'ttf-liberation']] },
];

/**
 * The browser on this machine: `CHROME_PATH`, else an installed Chrome or Chromium, else one that Playwright fetched before.
 *
 * @param {Record<string, string | undefined>} [environment]
 * @returns {Promise<string | undefined>} an absolute path; undefined if there is none
 */
export async function findBrowser(environment = process.env) {
  const chosen = environment.CHROME_PATH;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new SetupError(
      `CHROME_PATH names ${chosen}, which does not exist. Correct it, or unset it to have a browser found or installed.`,
    );
  }
  const folders = (environment.PATH ?? '').split(delimiter);
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(places[process.platform] ?? []),
  ];
  return candidates.find(runs) ?? [await playwrightPath()].find(runs);
}

/**
 * Like `findBrowser`, and installs one where there is none.
 *
 * @returns {Promise<string>} an absolute path
 */
export async function ensureBrowser() {
  const found = await findBrowser();
  if (found) return found;
  const manager = packageManagers.find(({ command }) => isRoot && onPath(command));
  if (manager) {
    say(`No Chrome or Chromium found. Installing one with ${manager.command}, which takes about a minute...`);
    for (const args of manager.steps) run(manager.command, args);
    const installed = await findBrowser();
    if (installed) return installed;
  }
  say('No Chrome or Chromium found. Downloading one with Playwright...');
  run(process.execPath, [join(projectRoot, 'node_modules/playwright-core/cli.js'), 'install', 'chromium']);
  const downloaded = await findBrowser();
  if (downloaded) return downloaded;
  throw new SetupError(
    'The component tests need Chrome or Chromium. Install one, or set CHROME_PATH to the one you have, and try again.',
  );
}

async function playwrightPath() {
  const { chromium } = await import('playwright-core');
  return chromium.executablePath();
}

/** Ubuntu has a `chromium-browser` that only asks for a snap, so being there is not enough. */
function runs(path) {
  if (!path || !isExecutable(path)) return false;
  // On Windows a browser asked for its version opens a window instead.
  return process.platform === 'win32' || spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, command)));
}

/** What it says goes to stderr as it comes: an installation without a sign of life looks like a hang. */
function run(command, args) {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2], env: environment });
  if (status !== 0) say(`"${[command, ...args].join(' ')}" failed with exit code ${status}; trying the next way.`);
}
