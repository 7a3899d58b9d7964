/** Pages of a shop with financing buttons as they were built, and the service behind them: each on a host of its own. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser, openPage } from '../support/browser.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listen } from '../support/http.ts';
import { startService, type TestMerchant, type TestService } from '../support/service.ts';

/** What a product page has beside its buttons. */
export interface ShopPage {
  /** Markup of the body. */
  body: string;
  /** Markup of the head; the style sheet that keeps the space and the script unless it says otherwise. */
  head?: string;
  headers?: Record<string, string>;
}

export interface WidgetShop {
  service: TestService;
  merchant: TestMerchant;
  browser: Browser;
  /** The shop's origin, which is registered. */
  url: string;
  /** @returns The address of a new page. */
  givenPage(page: ShopPage): string;
  /** Somebody with a browser of their own, who leaves when the example ends. */
  openPage(options?: BrowserContextOptions): Promise<Visitor>;
  /** A button of the merchant; attributes beside the usual, `undefined` for none. */
  button(attributes?: Record<string, string | number | undefined>, content?: string): string;
  head: string;
  /** Number of requests for programs. */
  requestCount(): number;
}

export interface Visitor {
  page: Page;
  /** What a page did wrong or said. That the browser says an answer was an error is not the page's doing. */
  problems(): string[];
}

export async function givenWidgetShop(): Promise<WidgetShop> {
  const service = await startService();
  const pages = new Map<string, ShopPage>();
  const { url, stop } = await listen((request, response) => {
    const page = pages.get(request.url!);
    const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>${page?.head ?? usualHead}`;
    response.writeHead(page ? 200 : 204, { 'content-type': 'text/html', ...page?.headers });
    response.end(page && `${head}<body>${page.body}`);
  });
  onCleanup(stop);
  const merchant = await service.createMerchant({ origins: [url] });
  const browser = await startBrowser('--js-flags=--expose-gc');
  const files = `${service.publicUrl}/widget/v1`;
  const usualHead = `<link rel="stylesheet" href="${files}/reserve.css"><script type="module" src="${files}/financing-button.js"></script>`;

  const givenPage = (page: ShopPage): string => {
    const path = `/${pages.size}`;
    pages.set(path, page);
    return url + path;
  };
  return {
    service,
    merchant,
    browser,
    url,
    head: usualHead,
    givenPage,
    openPage: async (options) => {
      const { page, problems } = await openPage(browser, options);
      return { page, problems: () => problems.filter((message) => !message.startsWith('Failed to load resource')) };
    },
    button: (attributes = {}, content = '') => {
      const all = { 'api-key': merchant.apiKey, amount: 50_000, 'cart-url': '/cart', ...attributes };
      const written = Object.entries(all).filter(([, value]) => value !== undefined);
      return `<financing-button ${written.map(([name, value]) => `${name}="${escaped(String(value))}"`).join(' ')}>${content}</financing-button>`;
    },
    requestCount: () => service.logged.filter((line) => line.includes('"route":"/storefront/programs"')).length,
  };
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Something that happens once it may. */
export interface Held {
  release(): void;
}

/** Keeps what the page asks for at addresses like `pattern` waiting. */
export async function givenHeld(page: Page, pattern: string): Promise<Held> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(pattern, async (route) => {
    await released;
    // The page may have gone on.
    await route.continue().catch(() => undefined);
  });
  return { release };
}

/** Waits until every button of the page is in one of these states. */
export async function allAre(page: Page, ...states: string[]): Promise<void> {
  await page.waitForFunction((among) => {
    const buttons = [...document.querySelectorAll('financing-button')];
    return (
      buttons.length > 0 &&
      buttons.every((button) => button.shadowRoot && among.some((state) => button.matches(`:state(${state})`)))
    );
  }, states);
}
