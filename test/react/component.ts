import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FinancingButton } from '../../widget/financing-button.ts';
import { startBrowser, openPage } from '../support/browser.ts';
import { listening } from '../demo/listening.ts';
import { bundle, type ReactPackages } from './bundle.ts';

/** Globals of the page's script. */
declare const shop: { ref: { current: FinancingButton | null }; render(props: object): void };
declare const events: unknown[];
declare const first: Element;

const programs = readFileSync('test/widget/fixtures/standard/storefront/programs', 'utf8');

/**
 * Declares the tests of the component for React.
 *
 * @param version - Version of React in the title.
 * @param packages - Folders of `react` and `react-dom`. Defaults to the packages that are installed under these names.
 */
export function describeComponent(version: string, packages: ReactPackages = {}): void {
  describe(`The component for React, with React ${version}`, () => declareTests(packages));
}

function declareTests(packages: ReactPackages): void {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-react-'));
  const scripts = { browser: '', server: '' };
  let chromium: Browser;
  let render: (props: object) => string;

  beforeAll(async () => {
    chromium = await startBrowser();
    scripts.browser = await bundle('browser', packages);
    writeFileSync(join(folder, 'server.mjs'), await bundle('server', packages));
    ({ render } = (await import(join(folder, 'server.mjs'))) as { render: typeof render });
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function createPage(markup = ''): Promise<{ page: Page; problems: string[] }> {
    const files: Record<string, [type: string, content: string]> = {
      '/': ['text/html', `<!doctype html><main>${markup}</main><script type="module" src="/shop.js"></script>`],
      '/shop.js': ['text/javascript', scripts.browser],
      '/storefront/programs': ['application/json', programs],
      '/favicon.ico': ['image/x-icon', ''],
    };
    const { url } = await listening((request, response) => {
      const [type, content] = files[new URL(request.url!, 'http://shop').pathname]!;
      response.setHeader('content-type', type).end(content);
    });
    const { page, problems } = await openPage(chromium);
    await page.goto(url);
    return { page, problems };
  }

  const estimate = (page: Page) => page.locator('financing-button [part=estimate]').textContent();

  it('sets attributes and properties, and removes them', async () => {
    const { page, problems } = await createPage();
    await page.evaluate(() =>
      shop.render({ apiKey: 'K', service: '/', amount: 50_000, cartUrl: '/c/1', className: 'wide', id: 'b' }),
    );

    await expect.poll(() => estimate(page)).toContain('$');
    const before = await estimate(page);
    await page.evaluate(() => shop.render({ apiKey: 'K', service: '/', amount: 90_000 }));

    await expect.poll(() => estimate(page)).not.toBe(before);
    expect(await page.locator('financing-button').evaluate(({ outerHTML }) => outerHTML)).not.toMatch(/cart-url|class/);
    expect(await page.locator('financing-button a').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('sets properties that have no attribute, and resets them', async () => {
    const { page, problems } = await createPage();
    const options = () =>
      page.evaluate(() => {
        const { items, orderRef, disableEditShipping } = shop.ref.current!;
        return [items, orderRef, disableEditShipping];
      });
    const item = { sku: 'A', price: 50_000, quantity: 1, imageUrl: '', detailUrl: '' };
    await page.evaluate((only) => shop.render({ items: [only], orderRef: 'ORDER-1', disableEditShipping: false }), item);
    expect(await options()).toEqual([[item], 'ORDER-1', false]);
    expect(await page.locator('financing-button').evaluate((element) => element.getAttributeNames())).toEqual([]);

    await page.evaluate(() => shop.render({ orderRef: 'ORDER-2' }));
    expect(await options()).toEqual([undefined, 'ORDER-2', undefined]);
    expect(problems).toEqual([]);
  });

  it('provides a ref to the element, and calls the handlers of the latest rendering', async () => {
    const { page, problems } = await createPage();
    await page.evaluate(() => {
      Object.assign(globalThis, { events: [] });
      const props = { apiKey: 'K', service: '/', cartUrl: '/c/1' };
      shop.render({ ...props, amount: 50_000, onFinancingQuote: () => events.push('first') });
      shop.render({
        ...props,
        amount: 50_000,
        onFinancingQuote: (event: CustomEvent<{ monthly: number }>) => events.push(event.type, event.detail.monthly > 0),
        onFinancingStart: (event: Event) => {
          event.preventDefault();
          events.push(event.type);
        },
      });
    });
    await page.locator('financing-button a').click();

    expect(await page.evaluate(() => events)).toEqual(['financing-quote', true, 'financing-start']);
    expect(await page.evaluate(() => typeof shop.ref.current?.quote?.monthly)).toBe('number');
    expect(new URL(page.url()).pathname).toBe('/');
    expect(problems).toEqual([]);
  });

  it('is rendered by a server with its attributes, and hydrated in the browser without a warning', async () => {
    const props = { apiKey: 'K', service: '/', amount: 50_000, cartUrl: '/c/1', className: 'wide' };
    const markup = render({ ...props, items: [], orderRef: 'A', onFinancingQuote: () => {} });
    expect(markup).toBe(
      '<financing-button api-key="K" service="/" amount="50000" cart-url="/c/1" class="wide">Pay later</financing-button>',
    );

    const { page, problems } = await createPage(markup);
    await expect.poll(() => estimate(page)).toContain('$');
    await page.evaluate((again) => {
      Object.assign(globalThis, { events: [], first: document.querySelector('financing-button') });
      shop.render({
        ...again,
        onFinancingStart: (event: Event) => (event.preventDefault(), events.push(event.type)),
      });
    }, props);
    await expect.poll(() => page.evaluate(() => Boolean(shop.ref.current))).toBe(true);
    await page.locator('financing-button a').click();

    expect(await page.evaluate(() => events)).toEqual(['financing-start']);
    expect(await page.evaluate(() => first === shop.ref.current)).toBe(true);
    expect(problems).toEqual([]);
  });
}
