import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished, TestRunner } from 'vitest';
import { browserArgs, findBrowser, playwrightArgs } from './browser.mjs';
import { atTheEnd } from './cleanup.ts';
import { until } from './until.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What runs in this process, by its arguments: files share it, for to start one takes a second. */
const running = new Map<string, Promise<Browser>>();

/**
 * A real Chromium for the examples around it, with no visitor in it yet.
 *
 * @param args - What it is started with beside the usual.
 */
export async function givenChromium(...args: string[]): Promise<Browser> {
  const key = args.join(' ');
  const known = await running.get(key);
  const browser = known?.isConnected() ? known : await started(key, args);
  atTheEnd(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

async function started(key: string, args: string[]): Promise<Browser> {
  const launched = chromium.launch({ executablePath: await executable(), args: [...playwrightArgs, ...args] });
  running.set(key, launched);
  return launched;
}

/** One that another tool than Playwright looks into. @returns The port that tool finds it at. */
export async function givenDebuggedChromium(): Promise<number> {
  const profile = mkdtempSync(join(tmpdir(), 'fairterm-profile-'));
  const args = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...browserArgs, 'about:blank'];
  const child = spawn(await executable(), args, { stdio: 'ignore' });
  const ended = once(child, 'close');
  atTheEnd(async () => {
    child.kill('SIGKILL');
    await ended;
    // Its helpers may take a moment longer to leave it alone.
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const portFile = join(profile, 'DevToolsActivePort');
  // The file exists before its content does.
  return until(() => (existsSync(portFile) && Number(readFileSync(portFile, 'utf8').split('\n')[0])) || undefined, 20_000);
}

async function executable(): Promise<string> {
  const found = await findBrowser();
  if (found === undefined) throw new Error('There is no Chrome or Chromium; set CHROME_PATH, or run npm test once.');
  return found;
}

/**
 * A fresh visitor, who leaves when the example ends that they came in. What their page says to its console, and what its security
 * policy forbids, is kept in `complaints`.
 */
export async function givenVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options);
  if (TestRunner.getCurrentTest()) onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

/** What of axe is asked; everything about the whole page, left out. */
interface Asked {
  /** Rules that axe cannot judge there. */
  unjudged?: string[];
  /** The only rules that the page has not been held against before. */
  only?: string[];
  /** A selector of the only part of the page that has not been looked at before. */
  within?: string;
}

/** The rules whose outcome depends on colours: a page in other colours that is the same otherwise has to keep these. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Nothing that axe knows to be in the way of a reader, whatever its impact.
 *
 * @param look - How the page is looked at, for the message.
 */
export async function expectAccessible(page: Page, look = '', { unjudged = [], only, within }: Asked = {}): Promise<void> {
  // Evaluated over the debugger's protocol, which no content security policy stops.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const off = unjudged.map((rule) => [rule, { enabled: false }] as const);
  const options: AxeOptions = {
    preload: false,
    // Of what is well it names no more than one example, which takes two thirds of the time.
    resultTypes: ['violations'],
    rules: { 'target-size': { enabled: true }, ...Object.fromEntries(off) },
    ...(only && { runOnly: only, rules: {} }),
  };
  const found = await page.evaluate(
    async ([selector, chosen]) => {
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(selector ?? document, chosen);
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
      );
    },
    [within, options] as const,
  );
  expect(found, `axe on ${page.url()} ${look}`).toEqual([]);
}

interface AxeOptions {
  preload: boolean;
  resultTypes: string[];
  rules: Record<string, { enabled: boolean }>;
  runOnly?: string[];
}

interface Axe {
  run(context: Document | string, options: AxeOptions): Promise<AxeResults>;
}

interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}
