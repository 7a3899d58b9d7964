/** A page with the financing button in each of its states, and the settings of browsers and pages in which it is tested. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { disclosureTexts } from '../../shared/languages/index.ts';
import { type ProgramDocument, rateSheet } from '../../shared/programs/rate-sheet.ts';
import { painted } from '../support/browser.ts';
import { elaborateProgram } from '../support/programs.ts';

/** Settings of a browser and of a page. */
export interface Appearance {
  name: string;
  width?: number;
  /** Language of the page. */
  lang?: string;
  dir?: 'rtl';
  options?: BrowserContextOptions;
  print?: true;
  /** Style of the page. */
  css?: string;
  /** Attributes of every button. */
  attributes?: Record<string, string>;
}

const system = 'body { background: Canvas; color: CanvasText }';
const dark = 'html { color-scheme: dark }';

export const appearances: Appearance[] = [
  { name: 'light' },
  { name: 'dark', css: dark },
  { name: 'dark page without color-scheme', css: 'body { background: #12181c; color: #e8eaec }' },
  { name: 'yellow page', css: 'body { background: #fde68a; color: #1f2937 }' },
  { name: 'theme dark', css: 'body { background: #12181c; color: #e8eaec }', attributes: { theme: 'dark' } },
  { name: 'theme light on a dark page', css: `${dark} main { background: #fff; color: #111 }`, attributes: { theme: 'light' } },
  { name: 'forced colors', options: { forcedColors: 'active' } },
  {
    name: 'forced colors, dark',
    options: { forcedColors: 'active', colorScheme: 'dark' },
    css: 'html { color-scheme: light dark }',
  },
  { name: 'Spanish', lang: 'es', width: 240 },
  { name: 'right-to-left page', lang: 'ar', dir: 'rtl', width: 390 },
  { name: 'enlarged to 400 %', width: 320, options: { deviceScaleFactor: 4, viewport: { width: 320, height: 256 } } },
  { name: 'text of twice the size', width: 390, css: 'body { font-size: 32px }' },
  { name: 'print', print: true, width: 768 },
  { name: '240 pixels', width: 240 },
  ...[320, 390, 1_280].map((width) => ({ name: `${width} pixels`, width })),
];

/** Buttons in each state, and with attributes and content that change their appearance. */
const examples: { name: string; attributes?: Record<string, string | number | undefined>; content?: string; state: string }[] = [
  { name: 'quoted', state: 'quoted' },
  { name: 'large amount', attributes: { amount: 2_345_678 }, state: 'quoted' },
  { name: 'elaborate program', attributes: { 'api-key': 'elaborate', amount: 250_000 }, state: 'quoted' },
  { name: 'loading', attributes: { 'api-key': 'waiting' }, state: 'loading' },
  { name: 'unavailable', attributes: { amount: 100 }, state: 'unavailable' },
  { name: 'failed', attributes: { 'api-key': 'broken' }, state: 'failed' },
  { name: 'idle', attributes: { amount: undefined }, state: 'idle' },
  { name: 'estimate', attributes: { show: 'estimate' }, state: 'quoted' },
  { name: 'button', attributes: { show: 'button' }, state: 'quoted' },
  { name: 'label', content: 'Buy now, <em>pay later</em> with Acme', state: 'quoted' },
];

interface Shop {
  button(attributes?: Record<string, string | number | undefined>, content?: string): string;
  createPage(page: { body: string }): string;
}

/** Adds the page to the shop and returns its URL. */
export function galleryPage(shop: Shop, { css = '', lang = 'en', dir, attributes }: Appearance): string {
  const sections = examples.map(
    ({ name, attributes: own, content }) =>
      `<section lang="en" dir="ltr"><h2>${name}</h2><div lang="${lang}" ${dir ? `dir="${dir}"` : ''}>${shop.button({ ...own, ...attributes }, content)}</div></section>`,
  );
  return shop.createPage({
    body: `<meta name="viewport" content="width=device-width"><style>${system}
      body { margin: 0; font: 16px/1.5 sans-serif } main { display: grid; gap: 20px; padding: 12px }
      h1, h2 { margin: 0; font-size: 12px; opacity: 0.99 } ${css}</style><main><h1>Buttons</h1>${sections.join('')}</main>`,
  });
}

const elaborate: ProgramDocument = {
  defaultProgramId: elaborateProgram.id,
  programs: [rateSheet(elaborateProgram)],
  texts: disclosureTexts,
};

/** Opens the gallery and waits until all buttons have their final state and all animations have finished. */
export async function visitGallery(page: Page, url: string, appearance: Appearance): Promise<void> {
  const headers = { 'access-control-allow-origin': '*' };
  await page.route('**/storefront/programs?key=elaborate', (route) => route.fulfill({ headers, json: elaborate }));
  await page.route('**/storefront/programs?key=broken', (route) => route.fulfill({ headers, status: 404 }));
  await page.route('**/storefront/programs?key=waiting', () => undefined);
  await page.goto(url);
  if (appearance.print) await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(
    (states) => {
      const buttons = [...document.querySelectorAll('financing-button')];
      return buttons.every(
        (button, index) =>
          button.matches(`:state(${states[index]!})`) && !!button.shadowRoot?.querySelector(`.${states[index]!}`),
      );
    },
    examples.map(({ state }) => state),
  );
  await painted(page);
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await painted(page);
}

export const widthOf = ({ width = 768 }: Appearance): number => width;
