import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { FinancingButton } from '../../widget/financing-button.ts';
import { givenVisitor } from './chromium.ts';
import { atTheEnd } from './cleanup.ts';
import { chair } from './given.ts';
import { listen } from './listen.ts';
import type { TestMerchant, TestService } from './service.ts';

/** A shop on a site of its own: a number where the service has a name. */
export interface ShopSite {
  url: string;
  /** Where its page has the script of the button from. */
  scriptUrl: string;
  /** How many carts its own address has made. */
  carts: string[];
  /** Whose carts its own address makes. Known only after the shop: its origin is registered with the merchant. */
  merchant?: TestMerchant;
}

/** What a page of the shop was told, in order: the type of each event and its detail. */
export type Heard = [type: string, detail: unknown][];

/**
 * A shop with one strict page, at `/`, and an address that makes a cart and leads to it, at `/cart`, as the README has it.
 *
 * The policy is what the documentation asks for, and nothing more.
 */
export async function givenShopSite(service: TestService): Promise<ShopSite> {
  const policy = [
    `default-src 'none'`,
    `script-src 'self' ${service.publicUrl}`,
    `style-src ${service.publicUrl}`,
    `connect-src ${service.publicUrl}`,
    `img-src data:`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types lit-html`,
  ].join('; ');
  const scriptUrl = `${service.publicUrl}/widget/v1/financing-button.js`;
  const site: ShopSite = { url: '', scriptUrl, carts: [] };
  const { url, stop } = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://shop');
    const answerCart = async (): Promise<void> => {
      const cart = await site.merchant!.fairterm.carts.create({ options: { items: [chair], orderRef: 'ORDER 7' } });
      site.carts.push(cart.id);
      const display = searchParams.get('display');
      response.writeHead(303, { location: display ? `${cart.url}?display=${display}` : cart.url }).end();
    };
    if (pathname === '/cart') {
      void answerCart();
      return;
    }
    if (pathname === '/shop.js') {
      response.setHeader('content-type', 'text/javascript').end(SCRIPT);
      return;
    }
    response.setHeader('content-type', 'text/html');
    const framed = ` frame-src 'self' ${service.publicUrl} ${searchParams.get('framed') ?? ''};`;
    const sandbox = searchParams.has('sandboxed') ? '; sandbox allow-scripts allow-same-origin allow-forms' : '';
    if (pathname === '/') response.setHeader('content-security-policy', framed + policy + sandbox);
    const body = pathname === '/' ? (searchParams.get('body') ?? '') : '<h1>Elsewhere</h1>';
    response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Shop</title><link rel="icon" href="data:,"><script src="/shop.js"></script>
      <script type="module" src="${scriptUrl}"></script><main>${body}</main></html>`);
  });
  atTheEnd(stop);
  site.url = url;
  return site;
}

/** Keeps what the page is told, and whatever goes wrong on it. */
const SCRIPT = `
var heard = [];
for (const type of ['start', 'complete', 'close', 'error'])
  addEventListener('financing-' + type, ({ detail }) => heard.push([type, type === 'error' ? detail.code : detail]));
for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation'])
  addEventListener(type, (event) => heard.push([type, String(event.message ?? event.reason ?? event.violatedDirective)]));
`;

/** What a page writes on its button, and what its scripts set on it. */
export interface ButtonOnPage {
  attributes?: Record<string, string>;
  properties?: Partial<FinancingButton>;
  /** Written around the button; `$` stands for it. */
  around?: string;
  /** Whose pages it frames beside those of the service. */
  framed?: string;
  /** Whether the page may open no windows. */
  isSandboxed?: boolean;
  visitor?: BrowserContextOptions;
  /** A file beside the script that cannot be had. */
  without?: string;
}

export interface ShopPage {
  page: Page;
  /** What the browser complained of. */
  complaints: string[];
  heard(): Promise<Heard>;
  press(): Promise<void>;
  isBusy(): Promise<boolean>;
  /** How many listeners for messages the page's window has. */
  listeners(): Promise<number>;
}

/** A fresh visitor on the shop's page, with a button that can be pressed. */
export async function givenShopPage(
  browser: Browser,
  site: ShopSite,
  { attributes = {}, properties = {}, around = '$', framed = '', isSandboxed = false, visitor = {}, without }: ButtonOnPage,
): Promise<ShopPage> {
  const { page, complaints } = await givenVisitor(browser, visitor);
  if (without !== undefined) await page.route(`**/${without}`, (route) => route.abort());
  const all = { 'api-key': site.merchant!.apiKey, amount: '75000', ...attributes };
  const written = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  const button = `<financing-button ${written.join(' ')}></financing-button>`;
  await page.goto(
    `${site.url}/?body=${encodeURIComponent(around.replace('$', button))}&framed=${encodeURIComponent(framed)}${isSandboxed ? '&sandboxed' : ''}`,
  );
  await setProperties(page, properties);
  const locator = page.locator('financing-button');
  await page.locator('[part=button]').waitFor();
  if (without === undefined) await checkoutPartLoaded(page, site.scriptUrl);
  return {
    page,
    complaints,
    heard: () => page.evaluate(() => (globalThis as unknown as { heard: Heard }).heard),
    press: () => page.locator('[part=button]').click(),
    listeners: () => listenersOf(page),
    isBusy: () => locator.evaluate((element) => element.matches(':state(busy)')),
  };
}

/**
 * Waits until the part of the button that opens checkouts works. Until then, the button is a link.
 *
 * @param scriptUrl - Where the page has the script of the button from: the part is loaded from beside it.
 */
export async function checkoutPartLoaded(page: Page, scriptUrl: string): Promise<void> {
  // As text, since vitest would turn the import into one of its own. The button has imported the same module before.
  await page.evaluate(`import(${JSON.stringify(new URL('checkout.js', scriptUrl).href)}).then(() => undefined)`);
}

/** Functions among them are written out: they know nothing but their arguments. */
async function setProperties(page: Page, properties: Partial<FinancingButton>): Promise<void> {
  const values = Object.entries(properties).map(([name, value]) => {
    const isFunction = typeof value === 'function';
    return `button[${JSON.stringify(name)}] = ${isFunction ? String(value) : JSON.stringify(value)};`;
  });
  await page.evaluate(`{ const button = document.querySelector('financing-button'); ${values.join('\n')} }`);
}

async function listenersOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', { expression: 'window' });
  const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId! });
  await session.detach();
  return listeners.filter(({ type }) => type === 'message').length;
}
