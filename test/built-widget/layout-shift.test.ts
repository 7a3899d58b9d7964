/** Cumulative layout shift of a product page with 24 buttons: none when resources load late or fail, and when properties change. */
import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { painted, shiftsOf } from '../support/browser.ts';
import { casesOf } from '../support/campaign.ts';
import { widgetFolder } from '../support/service.ts';
import { waitForStates, holdRequests, startWidgetShop, type HeldRequests, type WidgetShop } from './shop.ts';

const TILES = 24;
const WIDTHS = [360, 768, 1_280];
const SCRIPT = '**/widget/v1/*.js';
const PROGRAMS = '**/storefront/programs*';

const amountOf = (tile: number): number => 5_000 + 4_321 * tile * tile;

/** The order in which the script and the programs load. `late` is after everything else is rendered. */
interface Loading {
  script: 'immediate' | 'late';
  programs: 'immediate' | 'late' | 'connection reset' | 404;
}

const loadings: Loading[] = [
  { script: 'immediate', programs: 'immediate' },
  { script: 'immediate', programs: 'late' },
  { script: 'late', programs: 'late' },
  { script: 'immediate', programs: 'connection reset' },
  { script: 'late', programs: 404 },
];

/** Reserves space for the longest disclosure of all languages, as pages do that change their language without a reload. */
const [spanishReserve] = readFileSync(`${widgetFolder}/reserve.css`, 'utf8').match(/--financing-reserve: 'Ejemplo[^']*';/)!;

const shop = await startWidgetShop();
const address = shop.createPage({ body: tilesOf(shop) });

describe.each(casesOf(WIDTHS, (width) => width === 360))('A page of 24 buttons, %i pixels wide', (width) => {
  it.each(loadings)(
    'does not shift if the script is $script and the response with the programs is $programs',
    async ({ script, programs }) => {
      const { page, problems } = await shop.openPage({ viewport: { width, height: 900 } });
      const heldScript = script === 'late' && (await holdRequests(page, SCRIPT));
      const heldPrograms = await createPrograms(page, programs);
      await page.goto(address, { waitUntil: 'commit' });
      await page.waitForSelector(`li:nth-child(${TILES}) + li`, { state: 'attached' });
      if (heldScript) {
        await finishRendering(page);
        expect(await page.locator('financing-button:defined').count()).toBe(0);
        heldScript.release();
      }
      await page.waitForSelector('financing-button:defined', { state: 'attached' });
      const before = await boxesOf(page);
      if (heldPrograms) {
        await waitForStates(page, 'loading');
        await finishRendering(page);
        heldPrograms.release();
      }
      await waitForStates(page, ...(typeof programs === 'number' || programs === 'connection reset' ? ['failed'] : ['quoted']));
      await finishRendering(page);

      expect(await shiftsOf(page)).toEqual([]);
      expect(await boxesOf(page)).toEqual(before);
      expect(problems()).toEqual([]);
    },
  );

  it('does not shift when amounts, languages and availability change', async () => {
    const { page, problems } = await shop.openPage({ viewport: { width, height: 900 } });
    await page.goto(shop.createPage({ body: `<style>financing-button { ${spanishReserve} }</style>${tilesOf(shop)}` }));
    await waitForStates(page, 'quoted');
    const before = await boxesOf(page);

    const changes: [states: string[], property: string, values: unknown[]][] = [
      [['quoted'], 'amount', [74_321, 2_999_999]],
      [['unavailable'], 'amount', [4_999, 3_000_001]],
      [['quoted'], 'amount', [129_900]],
      [['idle'], 'amount', [0, null]],
      [['idle'], 'amount', ['12.99']],
      [['quoted'], 'amount', [5_000, 88_888]],
      [['quoted'], 'lang', ['es', 'en']],
    ];
    for (const [states, property, values] of changes) {
      for (const value of values) {
        await setAll(page, property, value);
        await waitForStates(page, ...states);
        await finishRendering(page);
        expect(await shiftsOf(page), `${property} ${String(value)}`).toEqual([]);
        expect(await boxesOf(page), `${property} ${String(value)}`).toEqual(before);
      }
    }
    expect(problems()).toEqual([]);
  });

  it('does not shift when Spanish texts load late', async () => {
    const { page, problems } = await shop.openPage({ viewport: { width, height: 900 } });
    const texts = await holdRequests(page, '**/texts/es.js');
    await page.goto(shop.createPage({ body: `<div lang="es">${tilesOf(shop)}</div>` }));
    await page
      .locator('financing-button')
      .nth(TILES - 1)
      .locator('.loading')
      .waitFor({ state: 'attached' });
    await finishRendering(page);
    const before = await boxesOf(page);
    texts.release();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('financing-button')].every(({ shadowRoot }) => shadowRoot!.querySelector('div[lang^=es]')),
    );
    await finishRendering(page);

    expect(await shiftsOf(page)).toEqual([]);
    expect(await boxesOf(page)).toEqual(before);
    expect(problems()).toEqual([]);
  });

  it('does not shift without JavaScript, and has the same layout with it', async () => {
    const { page } = await shop.openPage({ viewport: { width, height: 900 }, javaScriptEnabled: false });
    const shifts: unknown[] = [];
    const session = await page.context().newCDPSession(page);
    session.on('PerformanceTimeline.timelineEventAdded', ({ event }) => shifts.push(event.layoutShiftDetails));
    await session.send('PerformanceTimeline.enable', { eventTypes: ['layout-shift'] });
    await page.goto(address);
    await page.screenshot();

    const boxes = await boxesOf(page);
    expect(shifts).toEqual([]);
    const withScript = await shop.openPage({ viewport: { width, height: 900 } });
    await withScript.page.goto(address);
    await waitForStates(withScript.page, 'quoted');
    expect(await boxesOf(withScript.page)).toEqual(boxes);
  });

  it('shifts without the style sheet that reserves space', async () => {
    const { page } = await shop.openPage({ viewport: { width, height: 900 } });
    const script = await holdRequests(page, SCRIPT);
    await page.route('**/reserve.css', (route) => route.fulfill({ contentType: 'text/css', body: '' }));
    await page.goto(address, { waitUntil: 'commit' });
    await finishRendering(page);
    script.release();
    await waitForStates(page, 'quoted');
    await finishRendering(page);
    expect((await shiftsOf(page)).reduce((sum, shift) => sum + shift, 0)).toBeGreaterThan(0.1);
  });
});

function tilesOf({ button }: WidgetShop): string {
  const tiles = Array.from(
    { length: TILES },
    (_, tile) =>
      `<li><h2>Chair ${tile}</h2><p>A chair to sit on.</p>${button({ amount: amountOf(tile), 'cart-url': `/cart/${tile}` })}<a href="/${tile}">Read more</a></li>`,
  );
  return `<style>
      body { margin: 16px; font: 16px/1.5 sans-serif }
      ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 24px; margin: 0; padding: 0; list-style: none }
    </style><h1>Chairs</h1><ul>${tiles.join('')}<li>That is all.</li></ul><footer>Acme Goods</footer>`;
}

/** Sets the response for programs. Returns a function to release it if it is late. */
async function createPrograms(page: Page, programs: Loading['programs']): Promise<HeldRequests | undefined> {
  if (programs === 'late') return holdRequests(page, PROGRAMS);
  const routes: Record<string, (route: Route) => Promise<void>> = {
    immediate: (route) => route.continue(),
    'connection reset': (route) => route.abort('connectionreset'),
  };
  await page.route(
    PROGRAMS,
    routes[programs] ?? ((route) => route.fulfill({ status: Number(programs), headers: { 'access-control-allow-origin': '*' } })),
  );
  return undefined;
}

/** Waits for the next paint, with all animations finished. */
async function finishRendering(page: Page): Promise<void> {
  await painted(page);
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await painted(page);
}

/** Returns the position and size of every element on the page. */
function boxesOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.body.querySelectorAll('*')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.localName} ${x} ${y} ${width} ${height}`;
    }),
  );
}

async function setAll(page: Page, property: string, value: unknown): Promise<void> {
  await page.evaluate(
    async ([name, to]) => {
      const buttons = [...document.querySelectorAll('financing-button')];
      for (const button of buttons) Object.assign(button, { [name]: to });
      await Promise.all(buttons.map((button) => button.updateComplete));
    },
    [property, value] as const,
  );
}
