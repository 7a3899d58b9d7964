/** Opens pages in a real Chromium and does there what a buyer does. */
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
import { typed } from './checkout.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What runs in this process, by its arguments: files share it, for to start one takes a second. */
const running = new Map<string, Promise<Browser>>();

/**
 * A real Chromium for the examples around it, with no visitor in it yet.
 *
 * @param args - What it is started with beside the usual.
 */
export async function startBrowser(...args: string[]): Promise<Browser> {
  const key = args.join(' ');
  const known = await running.get(key);
  const browser = known?.isConnected() ? known : await started(key, args);
  onCleanup(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

async function started(key: string, args: string[]): Promise<Browser> {
  const launched = chromium.launch({ executablePath: await executable(), args: [...playwrightArgs, ...args] });
  running.set(key, launched);
  return launched;
}

/** One that another tool than Playwright looks into. @returns The port that tool finds it at. */
export async function startDebuggedBrowser(): Promise<number> {
  const profile = mkdtempSync(join(tmpdir(), 'fairterm-profile-'));
  const args = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...browserArgs, 'about:blank'];
  const child = spawn(await executable(), args, { stdio: 'ignore' });
  const ended = once(child, 'close');
  onCleanup(async () => {
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
export async function openPage(
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

/** Where a buyer is, as the last part of the address says: `details`; empty at an end. */
export function stepOf(page: Page | Frame): string {
  return /\/c\/[^/?#]+(?:\/[\w-]{22})?\/?([^/?#]*)/.exec(page.url())?.[1] ?? 'elsewhere';
}

/**
 * Types whatever the form of this step asks for, and sends it. Resolves once another page is there, or nothing is any more: after
 * the last step a window may close itself, and the page around a frame may go on.
 */
export async function fillAndSend(page: Page | Frame, over: Record<string, string> = {}): Promise<void> {
  await fillAndPress(page, over);
  await until(async () => isGone(page) || (await isAnotherDocument(page)), 20_000);
  await page.waitForLoadState().catch((thrown: unknown) => {
    if (!isGone(page)) throw thrown;
  });
}

/** Whether the page has been left since a form was sent. While it is being left, there is nothing to ask. */
const isAnotherDocument = (page: Page | Frame): Promise<boolean> =>
  page.evaluate(() => !('sent' in document.documentElement.dataset)).catch(() => false);

const isGone = (page: Page | Frame): boolean => ('isClosed' in page ? page.isClosed() : page.isDetached());

/** All of it in one call: to have Playwright fill in one field after the other costs more than everything else about a purchase. */
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
      const button = form.querySelector<HTMLElement>('button[type=submit]')!;
      button.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      if (!button.contains(hit)) throw new Error(`The button of ${location.href} is behind ${hit?.outerHTML.slice(0, 200)}`);
      document.documentElement.dataset['sent'] = '';
      button.click();
    },
    [Object.entries({ ...typed, ...over }), stepOf(page)] as const,
  );
}

/** Takes a checkout from its link to its end, in a page, a window or a frame that is at its first step. */
export async function buy(page: Page | Frame, over: Record<string, string> = {}): Promise<void> {
  while (['details', 'apply', 'plans', 'card', 'agreement'].includes(stepOf(page)) && !isGone(page))
    await fillAndSend(page, over);
}

/** Once what has changed is on the screen. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/**
 * How much each layout shift since the document began has moved: the parts of CLS. Those soon after a window was sized, which
 * the browser would excuse, count as well: nobody has touched anything.
 */
export async function shiftsOf(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const shifts: number[] = [];
        const keep = (entries: PerformanceEntryList) => {
          for (const entry of entries) shifts.push((entry as PerformanceEntry & { value: number }).value);
        };
        const observer = new PerformanceObserver((list) => keep(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Entries that are there already come in a task of their own, before the next frame but one.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            keep(observer.takeRecords());
            resolve(shifts);
          }),
        );
      }),
  );
}
