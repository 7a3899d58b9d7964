import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserArgs, findBrowser } from './browser.mjs';
import { atTheEnd } from './cleanup.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A real Chromium for the examples around it. @param args - What it is started with beside the usual. */
export async function givenChromium(...args: string[]): Promise<Browser> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error('There is no Chrome or Chromium; set CHROME_PATH, or run npm test once.');
  const browser = await chromium.launch({ executablePath, args: [...browserArgs, ...args] });
  atTheEnd(() => browser.close());
  return browser;
}

/** A fresh visitor. What their page says to its console, and what its security policy forbids, is kept in `complaints`. */
export async function givenVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

/** Nothing that axe knows to be in the way of a reader, whatever its impact. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated over the debugger's protocol, which no content security policy stops.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run(document, { preload: false }));
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, `axe on ${page.url()}`).toEqual([]);
}

interface Axe {
  run(context: Document, options: { preload: boolean }): Promise<AxeResults>;
}

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}
