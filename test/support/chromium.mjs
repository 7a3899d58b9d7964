import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { projectRoot, logProgress, SetupError } from '../../server/setup/project.mjs';
import { installSystemPackages, isExecutable, isRoot, run } from './system-packages.mjs';

/** Chromium's own sandbox cannot start under root nor in most containers; the pages opened here are ours. */
const sandboxArgs = isRoot || process.env.CI ? ['--no-sandbox'] : [];

/**
 * What Chromium has ready for people and no test looks at, each a process for every window: the next page's, and the one that draws
 * what the address bar suggests. A visitor costs less than half without.
 */
const idleFeatures = ['SpareRendererForSitePerProcess', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** What Playwright turns off, in `chromiumSwitches.ts` of its sources: it hands on one list, and a browser takes the last it is given. */
const playwrightFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/** Launch arguments for every browser a test starts. Nothing but the pages under test may reach for the network. */
export const browserArgs = [
  ...sandboxArgs,
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  `--disable-features=${idleFeatures.join(',')}`,
];

/** The same for browsers that Playwright launches. */
export const playwrightArgs = [...browserArgs, `--disable-features=${[...playwrightFeatures, ...idleFeatures].join(',')}`];

/** In order of preference. The headless shell has no user interface, and opens a page in half of the CPU time. */
const names = [
  'chromium-headless-shell',
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'chrome',
  'microsoft-edge',
];
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

/** Package names for each package manager. The fonts are needed to render text. */
const packages = {
  'apt-get': ['chromium-headless-shell', 'fonts-liberation'],
  apk: ['chromium', 'ttf-liberation'],
  dnf: ['chromium', 'liberation-fonts'],
  pacman: ['chromium', 'ttf-liberation'],
};

/**
 * The browser on this machine: `CHROME_PATH`, else an installed Chrome or Chromium, else one that Playwright fetched before.
 *
 * @param {Record<string, string | undefined>} [environment]
 * @returns {Promise<string | undefined>} an absolute path; undefined if no browser was found
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
 * Like `findBrowser`, but installs a browser if none was found.
 *
 * @returns {Promise<string>} an absolute path
 */
export async function ensureBrowser() {
  const found = await findBrowser();
  if (found) return found;
  installSystemPackages('Chromium, for the tests,', packages);
  const installed = await findBrowser();
  if (installed) return installed;
  logProgress('No Chrome or Chromium found. Downloading one with Playwright...');
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

/** Returns true if the browser runs. An executable file is not enough: Ubuntu's `chromium-browser` may only ask for a snap. */
function runs(path) {
  if (!path || !isExecutable(path)) return false;
  // On Windows, `--version` opens a window instead.
  return process.platform === 'win32' || spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}
