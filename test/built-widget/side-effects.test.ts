/** Side effects of the widget on a page, and resources that removed buttons release. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitForStates, startWidgetShop } from './shop.ts';

const CYCLES = 1_000;
const ROUNDS = 5;
/** The heap of the same page differs by up to 3 %. A button that is not released takes more than a kilobyte, and 600 of them a fifth. */
const MAX_GROWTH = 1.05;

const shop = await startWidgetShop();

describe('The page', () => {
  it.each(['financing-button.js', 'financing-button.iife.js'])(
    'is unchanged by %s, except for the element and the registrations of Lit',
    async (script) => {
      const { page } = await shop.openPage();
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      await page.goto(shop.createPage({ head: '', body: shop.button() }));
      const before = await stateOf(page);

      const type = script.includes('iife') ? 'text/javascript' : 'module';
      await page.addScriptTag({ type, url: `${shop.service.publicUrl}/widget/v1/${script}` });
      await page.evaluate(() => document.querySelector('head script')!.remove());
      await waitForStates(page, 'quoted');
      await page.getByRole('button', { name: 'Learn more' }).click();
      await page.keyboard.press('Escape');

      expect(await stateOf(page)).toEqual(before);
      expect(messages).toEqual([]);
    },
  );

  it(`releases all resources of ${CYCLES} buttons that are added and removed`, async () => {
    const { page, problems } = await shop.openPage();
    await watchTimers(page);
    await page.goto(shop.createPage({ head: '', body: `<main>${shop.button()}</main>` }));
    const { listeners: before } = await resourcesOf(page);
    await page.addScriptTag({ type: 'module', url: `${shop.service.publicUrl}/widget/v1/financing-button.js` });
    await waitForStates(page, 'quoted');
    await page.evaluate(() => document.querySelector('financing-button')!.remove());

    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      await addAndRemove(page, shop.merchant.apiKey, CYCLES / ROUNDS);
      rounds.push(await resourcesOf(page));
    }

    for (const { listeners, timers } of rounds) expect({ listeners, timers }).toEqual({ listeners: before, timers: 0 });
    const [, second, , , last] = rounds;
    expect(last!.nodes).toBeLessThanOrEqual(second!.nodes);
    expect(last!.heapBytes / second!.heapBytes).toBeLessThan(MAX_GROWTH);
    expect(problems()).toEqual([]);
  });

  it.each(['hangs', 'fails'])('releases all resources of buttons that were removed while the service %s', async (how) => {
    const { page } = await shop.openPage();
    await watchTimers(page);
    await page.route('**/storefront/programs*', (route) => (how === 'fails' ? route.abort() : undefined));
    await page.goto(shop.createPage({ head: '', body: shop.button() }));
    const { listeners } = await resourcesOf(page);
    await page.addScriptTag({ type: 'module', url: `${shop.service.publicUrl}/widget/v1/financing-button.js` });
    await waitForStates(page, how === 'fails' ? 'failed' : 'loading');
    expect((await resourcesOf(page)).listeners).toEqual([...listeners, 'online of window']);
    await page.evaluate(() => document.querySelector('financing-button')!.remove());

    expect(await resourcesOf(page)).toMatchObject({ listeners, timers: 0 });
  });
});

/** Returns the state of the page that scripts can change. */
function stateOf(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const attributesOf = (element: Element) => [...element.attributes].map(({ name, value }) => `${name}=${value}`);
    const prototypes = [Object, Array, String, Promise, EventTarget, Node, Element, HTMLElement, Document, ShadowRoot, Event];
    return {
      // Lit registers its versions and the metadata of decorators.
      globals: Reflect.ownKeys(globalThis)
        .map(String)
        .filter((name) => !/^(lit|reactiveElement)[A-Z]/.test(name)),
      extended: prototypes.map(({ prototype }) => Reflect.ownKeys(prototype).length),
      cookies: document.cookie,
      local: Object.entries(localStorage),
      session: Object.entries(sessionStorage),
      databases: await indexedDB.databases(),
      caches: await caches.keys(),
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      html: attributesOf(document.documentElement),
      body: attributesOf(document.body),
      head: document.head.innerHTML,
      inBody: document.body.innerHTML,
      sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
      address: location.href,
      history: history.length,
      title: document.title,
      handlers: [window.onerror, window.onunhandledrejection, window.onbeforeunload],
    };
  });
}

/** Records the timers that have neither fired nor been cleared. */
async function watchTimers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const pending = new Set<unknown>();
    const { setTimeout: start, clearTimeout: stop } = window;
    const started = (handler: () => void, delay?: number): number => {
      const id = start(() => {
        pending.delete(id);
        handler();
      }, delay);
      pending.add(id);
      return id;
    };
    const stopped = (id?: number): void => {
      pending.delete(id);
      stop(id);
    };
    Object.assign(window, {
      setTimeout: started,
      clearTimeout: stopped,
      setInterval: () => pending.add({}),
      pendingTimers: pending,
    });
  });
}

/** Adds and removes buttons. Some change their amount, some open their details, and some are removed before they render. */
async function addAndRemove(page: Page, apiKey: string, cycles: number): Promise<void> {
  await page.evaluate(
    async ([key, times]) => {
      const main = document.querySelector('main')!;
      for (let time = 0; time < times; time++) {
        main.innerHTML = `<financing-button api-key="${key}" amount="${20_000 + time}" cart-url="/cart"></financing-button>`;
        const button = main.querySelector('financing-button')!;
        if (time % 10 === 1) button.showDetails();
        if (time % 10) await button.updateComplete;
        button.amount = 30_000 + time;
        if (time % 2) await button.updateComplete;
        button.remove();
      }
      main.textContent = '';
    },
    [apiKey, cycles] as const,
  );
}

async function resourcesOf(page: Page) {
  // Playwright adds its own listeners when it first accesses the page.
  await page.waitForFunction(() => true);
  const session = await page.context().newCDPSession(page);
  const listeners: string[] = [];
  for (const expression of ['window', 'document', 'document.documentElement', 'document.body', 'navigator', 'visualViewport']) {
    const { result } = await session.send('Runtime.evaluate', { expression });
    const found = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId! });
    listeners.push(...found.listeners.map(({ type }) => `${type} of ${expression}`));
    await session.send('Runtime.releaseObject', { objectId: result.objectId! });
  }
  // One garbage collection can make more objects collectable.
  for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return {
    listeners,
    timers: await page.evaluate(() => (Reflect.get(globalThis, 'pendingTimers') as Set<unknown>).size),
    heapBytes: usedSize,
    nodes,
  };
}
