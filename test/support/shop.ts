/** Shops that use the service: the demo shop, and a shop page with a financing button on another site. */
import { createShop, type ShopOptions } from '../../demo/shop.ts';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import { startService, type TestMerchant, type TestService } from './service.ts';
import { onCleanup } from './cleanup.ts';
import { listen } from './http.ts';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import type { FinancingButton } from '../../widget/financing-button.ts';
import { openPage, startBrowser, stepOf } from './browser.ts';
import { chair, createCart } from './checkout.ts';
import { beforeAll } from 'vitest';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { until } from './time.ts';

/** Starts the demo shop on a free port, with a key pair of the service. */
export async function startShop(
  service: TestService,
  options: Partial<ShopOptions> = {},
): Promise<{ shopUrl: string; merchant: TestMerchant }> {
  const { server, port, stop } = await listen();
  onCleanup(stop);
  const shopUrl = `http://localhost:${port}`;
  const merchant = await service.createMerchant({ name: 'Demo Shop', storeUrl: `${shopUrl}/` });

  const { apiKey, secret } = merchant;
  const callbackSecrets = (await callbackSecretsOf(service.database.query, merchant.merchantId)).map((row) => row.secret);
  const keys = { apiKey, secret, callbackSecrets };
  const handle = createShop({ serviceUrl: service.publicUrl, ...keys, shopUrl, log: () => undefined, ...options }).callback();
  server.on('request', (request, response) => void handle(request, response));
  return { shopUrl, merchant };
}

/** A shop on another site than the service: its URL has an IP address, that of the service a host name. */
interface ShopSite {
  url: string;
  /** URL of the button's script. */
  scriptUrl: string;
  /** Ids of the carts that its endpoint has created. */
  carts: string[];
  /** The merchant for which its endpoint creates carts. Set after the shop starts, because the merchant registers its origin. */
  merchant?: TestMerchant;
}

/** Events that a page of the shop received, in order: the type and detail of each. */
export type PageEvents = [type: string, detail: unknown][];

/**
 * Starts a shop with a page with a strict Content Security Policy at `/`, and an endpoint at `/cart` that creates a cart and
 * redirects to it.
 *
 * The policy allows only the sources that the documentation lists.
 */
async function startShopSite(service: TestService): Promise<ShopSite> {
  const sources = [
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
    const respondWithCart = async (): Promise<void> => {
      const cart = await site.merchant!.fairterm.carts.create({ options: { items: [chair], orderRef: 'ORDER 7' } });
      site.carts.push(cart.id);
      const display = searchParams.get('display');
      response.writeHead(303, { location: display ? `${cart.url}?display=${display}` : cart.url }).end();
    };
    if (pathname === '/cart') {
      void respondWithCart();
      return;
    }
    if (pathname === '/shop.js') {
      response.setHeader('content-type', 'text/javascript').end(SCRIPT);
      return;
    }
    response.setHeader('content-type', 'text/html');
    const framed = ` frame-src 'self' ${service.publicUrl} ${searchParams.get('framed') ?? ''};`;
    const sandbox = searchParams.has('sandboxed') ? '; sandbox allow-scripts allow-same-origin allow-forms' : '';
    if (pathname === '/') response.setHeader('content-security-policy', framed + sources + sandbox);
    const body = pathname === '/' ? (searchParams.get('body') ?? '') : '<h1>Elsewhere</h1>';
    response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Shop</title><link rel="icon" href="data:,"><script src="/shop.js"></script>
      <script type="module" src="${scriptUrl}"></script><main>${body}</main></html>`);
  });
  onCleanup(stop);
  site.url = url;
  return site;
}

/** Records the events that the page receives and its errors. */
const SCRIPT = `
var events = [];
for (const type of ['start', 'complete', 'close', 'error'])
  addEventListener('financing-' + type, ({ detail }) => events.push([type, type === 'error' ? detail.code : detail]));
for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation'])
  addEventListener(type, (event) => events.push([type, String(event.message ?? event.reason ?? event.violatedDirective)]));
`;

/** Attributes in the markup of the button, and properties set by scripts. */
export interface ButtonOnPage {
  attributes?: Record<string, string>;
  properties?: Partial<FinancingButton>;
  /** Markup around the button. `$` is a placeholder for the button. */
  around?: string;
  /** Additional origin that the policy of the page allows in frames. */
  framed?: string;
  /** True if the page is sandboxed, so that it cannot open windows. */
  isSandboxed?: boolean;
  visitor?: BrowserContextOptions;
  /** A file of the widget that fails to load. */
  without?: string;
}

export interface ShopPage {
  page: Page;
  /** Console errors and warnings, including policy violations. */
  problems: string[];
  events(): Promise<PageEvents>;
  press(): Promise<void>;
  isBusy(): Promise<boolean>;
  /** Number of message listeners of the page's window. */
  listeners(): Promise<number>;
}

/** Opens the shop's page with a working button in a fresh browser context. */
async function openShopPage(
  browser: Browser,
  site: ShopSite,
  { attributes = {}, properties = {}, around = '$', framed = '', isSandboxed = false, visitor = {}, without }: ButtonOnPage,
): Promise<ShopPage> {
  const { page, problems } = await openPage(browser, visitor);
  if (without !== undefined) await page.route(`**/${without}`, (route) => route.abort());
  const allAttributes = { 'api-key': site.merchant!.apiKey, amount: '75000', ...attributes };
  const markup = Object.entries(allAttributes).map(([name, value]) => `${name}="${value}"`);
  const button = `<financing-button ${markup.join(' ')}></financing-button>`;
  await page.goto(
    `${site.url}/?body=${encodeURIComponent(around.replace('$', button))}&framed=${encodeURIComponent(framed)}${isSandboxed ? '&sandboxed' : ''}`,
  );
  await setProperties(page, properties);
  const locator = page.locator('financing-button');
  await page.locator('[part=button]').waitFor();
  if (without === undefined) await checkoutPartLoaded(page, site.scriptUrl);
  return {
    page,
    problems,
    events: () => page.evaluate(() => (globalThis as unknown as { events: PageEvents }).events),
    press: () => page.locator('[part=button]').click(),
    listeners: () => listenersOf(page),
    isBusy: () => locator.evaluate((element) => element.matches(':state(busy)')),
  };
}

/**
 * Waits until the module that opens checkouts is loaded. Until then, the button is a link.
 *
 * @param scriptUrl - URL of the button's script. The module is in the same folder.
 */
export async function checkoutPartLoaded(page: Page, scriptUrl: string): Promise<void> {
  // The code is a string, because vitest would transform the import. It imports the same module as the button.
  await page.evaluate(`import(${JSON.stringify(new URL('checkout.js', scriptUrl).href)}).then(() => undefined)`);
}

/** Sets properties of the button. */
async function setProperties(page: Page, properties: object): Promise<void> {
  await page.evaluate((values) => void Object.assign(document.querySelector('financing-button')!, values), properties);
}

async function listenersOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', { expression: 'window' });
  const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId! });
  await session.detach();
  return listeners.filter(({ type }) => type === 'message').length;
}

export interface ButtonShop {
  merchant(): TestMerchant;
  /** Opens the shop's page with a button. */
  renderButton(on: ButtonOnPage): Promise<ShopPage>;
  /** Origin of the shop's pages. */
  shopUrl(): string;
  /** Creates a cart of one chair and returns its link. */
  createCartUrl(options?: Partial<CartOptions>): Promise<string>;
  /** Number of carts in the database. */
  cartCount(): Promise<number>;
}

/** Starts a service, a shop and a browser that all tests of a file share. */
export function createButtonShop(): ButtonShop {
  let service: TestService;
  let shop: ShopSite;
  let merchant: TestMerchant;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService();
    shop = await startShopSite(service);
    merchant = await service.createMerchant({ origins: [shop.url], storeUrl: `${shop.url}/thank-you` });
    shop.merchant = merchant;
    browser = await startBrowser('--test-third-party-cookie-phaseout');
  });
  return {
    merchant: () => merchant,
    renderButton: (on) => openShopPage(browser, shop, on),
    shopUrl: () => shop.url,
    createCartUrl: async (options) => (await createCart(merchant, { orderRef: 'ORDER 7', ...options })).url,
    cartCount: async () => {
      const carts = service.database.query.selectFrom('carts').select(({ fn }) => fn.countAll().as('count'));
      return Number((await carts.executeTakeFirstOrThrow()).count);
    },
  };
}

/** The display modes of a checkout. */
export const modes = ['redirect', 'popup', 'modal'] as const;

/** Waits until the dialog shows the first step, and returns its frame. */
export const frameOf = (page: Page): Promise<Frame> => until(() => page.frames().find((frame) => stepOf(frame) === 'details'));

/** Presses the button and returns the window that opens. */
export const pressForWindow = async ({ page, press }: ShopPage): Promise<Page> =>
  (await Promise.all([page.waitForEvent('popup'), press()]))[0];

/** Presses the button, waits until the checkout is shown, and returns its page or frame. */
export const openAs = {
  redirect: async ({ page, press }: ShopPage) => {
    await press();
    await page.locator('main[data-step="details"]').waitFor();
    return page;
  },
  popup: async (shopPage: ShopPage) => {
    const popup = await pressForWindow(shopPage);
    await popup.waitForURL('**/c/*?**display=popup**');
    return popup;
  },
  modal: async ({ page, press }: ShopPage) => {
    await press();
    return frameOf(page);
  },
};

/** Holds back cart requests until they are released. */
export async function delayCarts(page: Page): Promise<{ letThrough(): Promise<void>; requestCount(): number }> {
  let requestCount = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route('**/storefront/carts', async (route) => {
    requestCount++;
    await opened;
    await route.continue().catch(() => undefined);
  });
  return {
    requestCount: () => requestCount,
    letThrough: async () => {
      const responseReceived = page.waitForResponse('**/storefront/carts');
      open();
      await responseReceived;
    },
  };
}
