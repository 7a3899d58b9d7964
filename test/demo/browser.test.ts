/** The shop with the real service: prices of the catalog, and a purchase in a popup and a dialog. */
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../demo/catalog.ts';
import { buy, expectAccessible, openPage, shiftsOf, startBrowser, stepOf } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';
import { checkoutPartLoaded, frameOf, startShop } from '../support/shop.ts';
import { until } from '../support/time.ts';

const CONSOLE_URL = 'https://service.example/console/merchant';
let service: TestService;
let browser: Browser;
let shopUrl: string;
beforeAll(async () => {
  service = await startService();
  ({ shopUrl } = await startShop(service, { consoleUrl: CONSOLE_URL }));
  browser = await startBrowser();
});

describe('The catalog', () => {
  it('shows a monthly price on every card after one request, and lists the terms of all of them once', async () => {
    const { page, problems } = await openPage(browser);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));

    await page.goto(shopUrl);
    await expect.poll(() => page.locator('.tile.listed').count()).toBe(catalog.length);

    const prices = await page.locator('financing-button [part=estimate]').allTextContents();
    expect(prices.filter((text) => /\$\d+\.\d\d\/month/.test(text))).toHaveLength(catalog.length);
    expect(requests.filter((path) => /storefront|aslowas/.test(path))).toEqual(['/storefront/programs']);
    for (const [index, { slug }] of catalog.entries()) {
      const monthly = /\$\d+\.\d\d/.exec(prices[index]!)![0];
      expect(await page.locator(`#terms-${slug} dd`).textContent()).toMatch(new RegExp(`APR.*payments? of \\${monthly}`));
      expect(await page.locator(`#${slug} [part=disclosure]`).isVisible()).toBe(false);
    }
    await page.getByRole('link', { name: 'Terms of the monthly price of Arbor' }).click();
    await expect.poll(() => page.locator('#terms-turntable').evaluate((terms) => terms.matches(':target'))).toBe(true);
    expect(await shiftsOf(page)).toEqual([]);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it('shows the disclosure on each card if the script of the list does not load', async () => {
    const { page } = await openPage(browser);
    await page.route('**/shop.js', (route) => route.abort());

    await page.goto(shopUrl);

    await expect.poll(() => page.locator('#turntable [part=disclosure]').textContent()).toContain('APR');
    expect(await page.locator('#turntable [part=disclosure]').isVisible()).toBe(true);
  });
});

describe('The bag', () => {
  it.each(['popup', 'modal'] as const)('leads to the thank-you page after a purchase with mode="%s"', async (mode) => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shopUrl}/products/turntable`);
    await page.getByRole('button', { name: 'Add to bag' }).click();
    await page.goto(`${shopUrl}/bag?mode=${mode}&buyer=ada`);
    await page.locator('financing-button [part=button]').waitFor();
    await checkoutPartLoaded(page, `${service.publicUrl}/widget/v1/financing-button.js`);
    const popup = mode === 'popup' ? page.waitForEvent('popup') : undefined;
    await page.locator('financing-button [part=button]').click();
    const checkout = (await popup) ?? (await frameOf(page));
    await until(() => stepOf(checkout) === 'details');
    await buy(checkout, { shippingTypeId: 'standard', taxIdLast4: '1101' });

    await page.waitForURL('**/thank-you?**');
    await page.locator('[data-status=confirmed]').waitFor();
    // 60 % of $1,299 are financed.
    for (const text of ['$779.40', '$519.60', 'First payment', 'APR'])
      expect(await page.locator('main').textContent()).toContain(text);
    const link = page.getByRole('link', { name: 'See this order in the console' });
    const transactionId = new URL(page.url()).searchParams.get('transactionId');
    expect(await link.getAttribute('href')).toBe(`${CONSOLE_URL}/orders/${transactionId}`);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
