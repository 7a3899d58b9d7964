import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { projectRoot, SetupError } from '../../server/setup/project.mjs';
import { installSystemPackages, isExecutable, isRoot, run } from './system-packages.mjs';

/** Chromium's sandbox cannot start as root or in most containers. It is not needed, because tests open only pages of this project. */
const sandboxArgs = isRoot || process.env.CI ? ['--no-sandbox'] : [];

/**
 * Features that start a process for each window: for the next page, and for the suggestions of the address bar. Without them, opening
 * a page takes less than half of the processor time.
 */
const idleFeatures = ['SpareRendererForSitePerProcess', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** The features that Playwright disables (`chromiumSwitches.ts` in its source). Chromium uses only the last `--disable-features`. */
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

/** Launch arguments for every browser that a test starts. Only the pages under test may use the network. */
export const browserArgs = [
  ...sandboxArgs,
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  `--disable-features=${idleFeatures.join(',')}`,
];

/** Launch arguments for browsers that Playwright starts. */
export const playwrightArgs = [...browserArgs, `--disable-features=${[...playwrightFeatures, ...idleFeatures].join(',')}`];

/** Commands in order of preference. The headless shell has no user interface and opens a page in half of the processor time. */
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
 * Returns the browser on this machine: `CHROME_PATH`, else an installed Chrome or Chromium, else the one that Playwright downloaded.
 *
 * @param {Record<string, string | undefined>} [environment]
 * @returns {Promise<string | undefined>} an absolute path; undefined if no browser was found
 */
export async function findBrowser(environment = process.env) {
  const chosen = environment.CHROME_PATH;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new SetupError(
      `CHROME_PATH names ${chosen}, which does not exist. Correct it, or unset it to use an installed browser.`,
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
  console.error('No Chrome or Chromium found. Downloading one with Playwright...');
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

/** Returns true if the browser runs. Ubuntu's `chromium-browser` can be a script that only asks to install a snap. */
function runs(path) {
  if (!path || !isExecutable(path)) return false;
  // On Windows, `--version` opens a window instead.
  return process.platform === 'win32' || spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}
