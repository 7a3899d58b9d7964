/** A shop with built financing buttons and a service, on separate origins. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser, openPage } from '../support/browser.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listen } from '../support/http.ts';
import { startService, type TestMerchant, type TestService } from '../support/service.ts';

export interface ShopPage {
  body: string;
  /** Defaults to the style sheet that reserves space and the script. */
  head?: string;
  headers?: Record<string, string>;
}

export interface WidgetShop {
  service: TestService;
  merchant: TestMerchant;
  browser: Browser;
  /** The shop's origin, which is registered. */
  url: string;
  /** Adds a page and returns its URL. */
  createPage(page: ShopPage): string;
  /** Opens a page in a new browser context, which is closed after the test. */
  openPage(options?: BrowserContextOptions): Promise<Visitor>;
  /** Returns the markup of a button of the merchant. Attributes that are `undefined` are omitted. */
  button(attributes?: Record<string, string | number | undefined>, content?: string): string;
  head: string;
  /** Number of requests for programs. */
  requestCount(): number;
}

export interface Visitor {
  page: Page;
  /** Console messages and uncaught errors of the page, without the browser's messages about failed requests. */
  problems(): string[];
}

export async function startWidgetShop(): Promise<WidgetShop> {
  const service = await startService();
  const pages = new Map<string, ShopPage>();
  const { url, stop } = await listen((request, response) => {
    const page = pages.get(request.url!.split('?')[0]!);
    const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>${page?.head ?? defaultHead}`;
    response.writeHead(page ? 200 : 204, { 'content-type': 'text/html', ...page?.headers });
    response.end(page && `${head}<body>${page.body}`);
  });
  onCleanup(stop);
  const merchant = await service.createMerchant({ origins: [url] });
  const browser = await startBrowser('--js-flags=--expose-gc');
  const files = `${service.publicUrl}/widget/v1`;
  const defaultHead = `<link rel="stylesheet" href="${files}/reserve.css"><script type="module" src="${files}/financing-button.js"></script>`;

  const createPage = (page: ShopPage): string => {
    const path = `/${pages.size}`;
    pages.set(path, page);
    return url + path;
  };
  return {
    service,
    merchant,
    browser,
    url,
    head: defaultHead,
    createPage,
    openPage: async (options) => {
      const { page, problems } = await openPage(browser, options);
      return { page, problems: () => problems.filter((message) => !message.startsWith('Failed to load resource')) };
    },
    button: (attributes = {}, content = '') => {
      const all = { 'api-key': merchant.apiKey, amount: 50_000, 'cart-url': '/cart', ...attributes };
      const present = Object.entries(all).filter(([, value]) => value !== undefined);
      return `<financing-button ${present.map(([name, value]) => `${name}="${escapeHtml(String(value))}"`).join(' ')}>${content}</financing-button>`;
    },
    requestCount: () => service.logged.filter((line) => line.includes('"route":"/storefront/programs"')).length,
  };
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Requests that wait until they are released. */
export interface HeldRequests {
  release(): void;
}

/** Holds the requests of the page for URLs that match `pattern` until they are released. */
export async function holdRequests(page: Page, pattern: string): Promise<HeldRequests> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(pattern, async (route) => {
    await released;
    // The page may have navigated or closed.
    await route.continue().catch(() => undefined);
  });
  return { release };
}

/** Waits until every button of the page is in one of these states. */
export async function waitForStates(page: Page, ...states: string[]): Promise<void> {
  await page.waitForFunction((allowed) => {
    const buttons = [...document.querySelectorAll('financing-button')];
    return (
      buttons.length > 0 &&
      buttons.every((button) => button.shadowRoot && allowed.some((state) => button.matches(`:state(${state})`)))
    );
  }, states);
}
