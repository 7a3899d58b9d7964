/** Server-rendered buttons: before and after the script loads, and without JavaScript. */
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../support/campaign.ts';
import { allAre, holdRequests, startWidgetShop, type WidgetShop } from './shop.ts';

let shop: WidgetShop;
beforeAll(async () => {
  shop = await startWidgetShop();
}, 60_000);

type Query = Record<string, string | number | undefined>;

/** Returns the HTML fragment that the service renders for the shop's page. */
async function fragment(query: Query = {}): Promise<string> {
  const all: Query = { key: shop.merchant.apiKey, amount: 50_000, 'cart-url': `${shop.url}/cart`, ...query };
  const params = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const response = await fetch(`${shop.service.publicUrl}/widget/v1/fragment?${new URLSearchParams(params)}`);
  expect(response.status).toBe(200);
  return response.text();
}

/** Returns the markup of the first button's shadow root without style sheets, comments and white space, and the box of each element. */
function renderingOf(page: Page): Promise<{ markup: string; boxes: string[] }> {
  return page.evaluate(() => {
    const root = document.querySelector('financing-button')!.shadowRoot!;
    const print = (node: Node): string => {
      if (node.nodeType === Node.TEXT_NODE) return node.textContent!.trim() && node.textContent!;
      if (!(node instanceof Element)) return '';
      const attributes = [...node.attributes].map(({ name, value }) => ` ${name}="${value}"`).toSorted();
      return `<${node.localName}${attributes.join('')}>${[...node.childNodes].map(print).join('')}</${node.localName}>`;
    };
    const boxes = [...root.querySelectorAll('div, div *')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.localName} ${[x, y, width, height].map((length) => length.toFixed(2)).join(' ')}`;
    });
    return {
      markup: [...root.children]
        .filter(({ localName }) => localName !== 'link')
        .map(print)
        .join(''),
      boxes,
    };
  });
}

const layoutShiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const observer = new PerformanceObserver(() => {});
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() =>
          setTimeout(() =>
            resolve(observer.takeRecords().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0)),
          ),
        );
      }),
  );

describe('A server-rendered button', () => {
  const queries: [description: string, query: Query][] = [
    ['the defaults', {}],
    ['an amount that no offer covers', { amount: 100 }],
    ['no cart', { 'cart-url': undefined }],
    ['only the estimate', { show: 'estimate' }],
    ['only the button', { show: 'button' }],
    ['the estimate and the button', { show: 'both' }],
    ['a custom label', { label: 'Über 12 Monate <b>"zahlen"</b> & \'sparen\'' }],
    ['a dark theme', { theme: 'dark' }],
    ['Spanish', { lang: 'es' }],
    ['Canadian French', { lang: 'fr-CA' }],
    ['Arabic', { lang: 'ar' }],
    ['Traditional Chinese', { lang: 'zh-TW' }],
    ['an unsupported language', { lang: 'tlh' }],
    ['a large amount', { amount: 2_999_999 }],
    ['a named program', { program: 'standard' }],
  ];
  const typical = ['the defaults', 'an amount that no offer covers', 'only the estimate', 'a custom label', 'Arabic'];

  it.each(casesOf(queries, ([description]) => typical.includes(description)))(
    'with %s is rendered identically by the script, without a request',
    async (_description, query) => {
      const { page, problems } = await shop.openPage();
      const script = await holdRequests(page, '**/financing-button.js');
      const requestCount = shop.requestCount();

      const body = `<main><p>Chair</p>${await fragment(query)}<p>Reviews</p></main>`;
      await page.goto(shop.createPage({ body }), { waitUntil: 'commit' });
      await page.waitForFunction(() => {
        const root = document.querySelector('financing-button')?.shadowRoot;
        return root?.querySelector('link')?.sheet && document.body.textContent.includes('Reviews');
      });
      const before = await renderingOf(page);
      script.release();
      await allAre(page, 'quoted', 'unavailable');

      expect(await renderingOf(page)).toEqual(before);
      expect(await layoutShiftOf(page)).toBe(0);
      expect(shop.requestCount()).toBe(requestCount);
      expect(problems()).toEqual([]);
    },
  );
});

describe('A page with server-rendered buttons', () => {
  it('shows the disclosure and links to the cart without JavaScript', async () => {
    const { page } = await shop.openPage({ javaScriptEnabled: false });
    await page.goto(shop.createPage({ body: await fragment() }));

    await expect.poll(() => page.getByText('a $500.00 purchase over 24 months at 9.99% APR').isVisible()).toBe(true);
    expect(await page.getByText('As low as $23.07/month').isVisible()).toBe(true);
    const link = page.getByRole('link', { name: 'Pay over time' });
    expect(await link.count()).toBe(1);
    await Promise.all([page.waitForRequest(`${shop.url}/cart`), link.click()]);
  });

  it('complies with a strict Content-Security-Policy because the style sheet is a file', async () => {
    const { origin } = new URL(shop.service.publicUrl);
    const policy = `default-src 'none'; script-src ${origin}; style-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'`;
    const { page, problems } = await shop.openPage();
    await page.goto(shop.createPage({ body: await fragment({ lang: 'fr' }), headers: { 'content-security-policy': policy } }));
    await allAre(page, 'quoted');
    expect(problems().filter((message) => !message.includes('favicon'))).toEqual([]);
  });

  it('requests the programs only when the buyer opens the details', async () => {
    const requestCount = shop.requestCount();
    const { page } = await shop.openPage();
    await page.goto(shop.createPage({ body: (await fragment()) + (await fragment({ amount: 74_000 })) }));
    await allAre(page, 'quoted');
    expect(shop.requestCount()).toBe(requestCount);
    await page.getByRole('button', { name: 'Learn more' }).first().click();
    await page.waitForSelector('dialog table');
    expect(shop.requestCount()).toBe(requestCount + 1);
  });

  it('is at most 800 compressed bytes larger with 24 rendered buttons than with 24 empty ones', async () => {
    const amounts = Array.from({ length: 24 }, (_, index) => 12_345 + 7_919 * index);
    const buttons = await Promise.all(amounts.map((amount) => fragment({ amount })));
    const page = buttons.map((button, index) => `<article><h2>Chair ${index}</h2>${button}</article>`).join('\n');
    const without = page.replaceAll(/<template.*?<\/template>/g, '');
    expect(without).not.toBe(page);
    expect(brotliCompressSync(page).byteLength - brotliCompressSync(without).byteLength).toBeLessThanOrEqual(800);
  });
});
