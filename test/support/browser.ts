/** Opens pages in a real Chromium and completes checkouts there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core';
import { expect, onTestFinished, TestRunner } from 'vitest';
import { browserArgs, findBrowser, playwrightArgs } from './chromium.mjs';
import { onCleanup } from './cleanup.ts';
import { until } from './time.ts';
import { typed, withZip } from './checkout.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Running browsers by their arguments. Test files share them, because starting one takes a second. */
const running = new Map<string, Promise<Browser>>();

/**
 * Returns a real Chromium for the surrounding tests, without any open page.
 *
 * @param args - Additional launch arguments.
 */
export async function startBrowser(...args: string[]): Promise<Browser> {
  const key = args.join(' ');
  const shared = await running.get(key);
  const browser = shared?.isConnected() ? shared : await launch(key, args);
  onCleanup(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

async function launch(key: string, args: string[]): Promise<Browser> {
  const launching = chromium.launch({ executablePath: await requireBrowser(), args: [...playwrightArgs, ...args] });
  running.set(key, launching);
  return launching;
}

/** Starts a Chromium for a tool other than Playwright. @returns The remote debugging port. */
export async function startDebuggedBrowser(): Promise<number> {
  const profile = mkdtempSync(join(tmpdir(), 'fairterm-profile-'));
  const args = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...browserArgs, 'about:blank'];
  const child = spawn(await requireBrowser(), args, { stdio: 'ignore' });
  const ended = once(child, 'close');
  onCleanup(async () => {
    child.kill('SIGKILL');
    await ended;
    // Chromium's helper processes may release the folder later.
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const portFile = join(profile, 'DevToolsActivePort');
  // The file exists before its content is written.
  return until(() => (existsSync(portFile) && Number(readFileSync(portFile, 'utf8').split('\n')[0])) || undefined);
}

async function requireBrowser(): Promise<string> {
  const found = await findBrowser();
  if (found === undefined)
    throw new Error('Expected Chrome or Chromium, but found none. Set CHROME_PATH, or run npm test once to install it.');
  return found;
}

/**
 * Opens a page in a fresh browser context, which closes when the test ends. `problems` collects uncaught errors, and console errors
 * and warnings, including violations of the Content Security Policy.
 */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext(options);
  // Longer than any test needs, so that tests do not fail on a busy machine.
  context.setDefaultTimeout(150_000);
  if (TestRunner.getCurrentTest()) onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, problems };
}

/** Options for axe. By default, all rules apply to the whole page. */
interface AxeCheck {
  /** Rules to skip because axe cannot evaluate them on the page. */
  unjudged?: string[];
  /** Restricts the check to these rules, if others have been checked before. */
  only?: string[];
  /** Selector that restricts the check to a part of the page, if the rest has been checked before. */
  within?: string;
}

/** The rules whose result depends on colors. Only they have to be repeated for the same page in another color scheme. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Asserts that axe finds no accessibility violation of any impact.
 *
 * @param look - Description of the page's appearance, for the message.
 */
export async function expectAccessible(page: Page, look = '', { unjudged = [], only, within }: AxeCheck = {}): Promise<void> {
  // Evaluated over the debugging protocol, which bypasses the Content-Security-Policy.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const off = unjudged.map((rule) => [rule, { enabled: false }] as const);
  const options: AxeOptions = {
    preload: false,
    // Limits the details of passed checks, which saves a third of the time.
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

/** Returns what the page shows: a step, or the state of a checkout that is not at a step. */
export async function shownBy(page: Page | Frame): Promise<string> {
  return (await page.locator('main').getAttribute('data-step')) ?? '';
}

/** Returns the current step: `details` at a cart's link, or else the last part of the path. Empty on a final page. */
export function stepOf(page: Page | Frame): string {
  const path = /\/c\/[^/?#]+(?<secret>\/[\w-]{22})?\/?(?<step>[^/?#]*)/.exec(page.url())?.groups;
  if (!path) return 'elsewhere';
  return path['step'] === '' && path['secret'] === undefined ? 'details' : path['step']!;
}

/**
 * Fills in and submits the form of the current step. Resolves when another page has loaded or the page has closed: after
 * the last step, a popup may close itself, and the page that contains a frame may navigate.
 */
export async function fillAndSend(page: Page | Frame, over: Record<string, string> = {}): Promise<void> {
  // A busy browser has a part of the form first.
  await page.waitForLoadState('domcontentloaded');
  await fillAndPress(page, over);
  await until(async () => hasClosed(page) || (await isAnotherDocument(page)));
  await page.waitForLoadState().catch((thrown: unknown) => {
    if (!hasClosed(page)) throw thrown;
  });
}

/** Returns true if the page has navigated since a form was submitted. During navigation the page cannot be evaluated. */
const isAnotherDocument = (page: Page | Frame): Promise<boolean> =>
  page.evaluate(() => !('sent' in document.documentElement.dataset)).catch(() => false);

const hasClosed = (page: Page | Frame): boolean => ('isClosed' in page ? page.isClosed() : page.isDetached());

/** Fills in all fields in one call. Filling them one by one through Playwright takes longer than the rest of a purchase. */
async function fillAndPress(page: Page | Frame, over: Record<string, string>): Promise<void> {
  await page.evaluate(
    ([values, step]) => {
      const form = document.querySelector<HTMLFormElement>(`main form[action*="/${step}"]`)!;
      for (const [name, value] of values) {
        const fields = [...form.querySelectorAll<HTMLInputElement>(`[name="${name}"]:not([type=hidden])`)];
        if (!fields[0]?.checkVisibility()) continue;
        const field = fields[0].type === 'radio' ? fields.find((choice) => choice.value === value)! : fields[0];
        if (field.type === 'radio' || field.type === 'checkbox') {
          if (!field.checked) field.click();
          continue;
        }
        field.value = value;
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      }
      // Plans are not preselected: the first of them is chosen.
      if (!form.querySelector('[name=offerId]:checked')) form.querySelector<HTMLElement>('[name=offerId]')?.click();
      const button = form.querySelector<HTMLElement>('button[type=submit]')!;
      button.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      if (!button.contains(hit)) throw new Error(`The button of ${location.href} is behind ${hit?.outerHTML.slice(0, 200)}`);
      document.documentElement.dataset['sent'] = '';
      button.click();
    },
    [Object.entries({ ...typed, ...withZip(over) }), stepOf(page)] as const,
  );
}

/** Completes a checkout in a page, a window or a frame that shows its first step. */
export async function buy(page: Page | Frame, over: Record<string, string> = {}): Promise<void> {
  while (['details', 'apply', 'plans', 'card', 'agreement'].includes(stepOf(page)) && !hasClosed(page))
    await fillAndSend(page, over);
}

/** Resolves when pending changes have been painted. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/**
 * Returns the score of each layout shift since the document started to load: the parts of CLS. Shifts soon after a resize, which
 * the browser would excuse, count as well because the test performs no user input.
 */
export async function shiftsOf(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const shifts: number[] = [];
        const record = (entries: PerformanceEntryList) => {
          for (const entry of entries) shifts.push((entry as PerformanceEntry & { value: number }).value);
        };
        const observer = new PerformanceObserver((list) => record(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // The observer delivers buffered entries in a separate task, within two frames.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            record(observer.takeRecords());
            resolve(shifts);
          }),
        );
      }),
  );
}
