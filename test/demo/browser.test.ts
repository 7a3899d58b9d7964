/** The shop with the real service: prices of the catalog, and the back office. */
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../demo/catalog.ts';
import { buy, expectAccessible, openPage, shiftsOf, startBrowser, stepOf } from '../support/browser.ts';
import { startService, type TestMerchant, type TestService } from '../support/service.ts';
import { checkoutPartLoaded, frameOf, startShop } from '../support/shop.ts';
import { until } from '../support/time.ts';
import { Buyer } from './shop.ts';

const timeZone = 'Pacific/Honolulu';

const CONSOLE_URL = 'https://service.example/console/merchant';
let service: TestService;
let browser: Browser;
let shopUrl: string;
let merchant: TestMerchant;
/** While true, the shop's requests that change something have their effect, but their responses are lost. */
let losesResponses = false;
beforeAll(async () => {
  service = await startService();
  const runtime = {
    wait: () => Promise.resolve(),
    fetch: async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      if (losesResponses && init.method === 'POST') throw new TypeError('fetch failed');
      return response;
    },
  };
  ({ shopUrl, merchant } = await startShop(service, { timeZone, runtime, consoleUrl: CONSOLE_URL }));
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
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});

describe('The back office', () => {
  /** Buys two amplifiers, whose order is confirmed. */
  const placeOrder = async () => {
    const buyer = new Buyer(shopUrl);
    await buyer.add('amplifier');
    await buyer.add('amplifier');
    await buyer.get('/checkout/financing');
    const orderRef = /AT-\w{5}-\w{5}/.exec((await buyer.get('/orders')).html)![0];
    const cartId = /of cart ([\w-]+)/.exec((await buyer.get(`/orders/${orderRef}`)).html)![1]!;
    const { transactionId } = await merchant.fairterm.sandbox.checkout({ cartId });
    await buyer.get(`/thank-you?orderRef=${orderRef}&transactionId=${transactionId}`);
    const retrieve = () => merchant.fairterm.transactions.retrieve(transactionId);
    return { buyer, orderRef, transactionId, retrieve };
  };

  it('ships, settles and refunds an item, and logs the requests and the webhook', async () => {
    const { orderRef, retrieve } = await placeOrder();
    const { page, problems } = await openPage(browser, { viewport: { width: 390, height: 844 } });
    await page.goto(`${shopUrl}/orders`);
    await page.getByRole('link', { name: orderRef }).click();

    await page.getByLabel('Tracking number').fill('1Z42');
    await page.getByRole('button', { name: 'Ship' }).click();
    await page.getByRole('button', { name: 'Settle' }).click();
    await page.getByRole('button', { name: 'Refund chosen items' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Choose how many of each item.');
    await page.getByLabel('Refund Ember').fill('1');
    await page.getByRole('button', { name: 'Refund chosen items' }).click();

    await expect.poll(() => page.locator('main').textContent()).toContain('1 not canceled or refunded');
    const { status, total, adjustedTotal, trackingNumber } = await retrieve();
    expect({ status, refunded: total - adjustedTotal, trackingNumber }).toEqual({
      status: 'SETTLED',
      refunded: 107_400,
      trackingNumber: '1Z42',
    });
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator('.events').textContent();
      })
      .toMatch(/Webhook \S+, signature verified/);
    await page
      .getByText(/^POST \/transactions\/actions/)
      .last()
      .click();
    expect(await page.locator('pre:visible').textContent()).toMatch(/Idempotency-Key.*refund-items[^]*"adjustedTotal"/);
    await expectAccessible(page);
    expect(problems.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('cancels items, then everything that remains', async () => {
    const { buyer, orderRef, retrieve } = await placeOrder();

    await buyer.post(`/orders/${orderRef}`, { action: 'cancel-items', key: 'one', 'AT-AM-03': '1' });
    expect(await retrieve()).toMatchObject({ status: 'AUTHORIZED', total: 214_800, adjustedTotal: 107_400 });
    const { html } = await buyer.get(`/orders/${orderRef}`);
    expect(html).toContain('max="1"');
    const { serviceTransactionId } = await retrieve();
    expect(html).toContain(`href="${CONSOLE_URL}/orders/${serviceTransactionId}"`);
    await buyer.post(`/orders/${orderRef}`, { action: 'cancel', key: 'two' });

    expect(await retrieve()).toMatchObject({ status: 'CANCELED', adjustedTotal: 0 });
    expect((await buyer.get(`/orders/${orderRef}`)).html).not.toContain('name="action"');
  });

  it('has the effect of a form that is sent twice once', async () => {
    const { buyer, orderRef, retrieve } = await placeOrder();
    const form = { action: 'cancel-items', key: 'twice', 'AT-AM-03': '1' };

    const responses = [await buyer.post(`/orders/${orderRef}`, form), await buyer.post(`/orders/${orderRef}`, form)];

    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    expect((await retrieve()).adjustedTotal).toBe(107_400);
    expect((await buyer.get(`/orders/${orderRef}`)).html).toContain('max="1"');
  });

  it('repeats an action whose response was lost with the same idempotency key', async () => {
    const { buyer, orderRef, retrieve } = await placeOrder();
    const keyOf = (html: string) => /name="key" value="([^"]+)"/.exec(html)![1]!;
    const key = keyOf((await buyer.get(`/orders/${orderRef}`)).html);
    losesResponses = true;
    const lost = await buyer.post(`/orders/${orderRef}`, { action: 'cancel-items', key, 'AT-AM-03': '1' });
    losesResponses = false;

    expect(lost.html).toContain('the outcome is unknown');
    const shownKey = keyOf((await buyer.get(`/orders/${orderRef}`)).html);
    expect(shownKey).toBe(key);
    const repeated = await buyer.post(`/orders/${orderRef}`, { action: 'cancel-items', key: shownKey, 'AT-AM-03': '1' });

    expect(repeated.status).toBe(303);
    expect((await retrieve()).adjustedTotal).toBe(107_400);
    expect(keyOf((await buyer.get(`/orders/${orderRef}`)).html)).not.toBe(key);
  });

  it('shows why the service rejects an action', async () => {
    const { buyer, orderRef } = await placeOrder();

    const { status, html } = await buyer.post(`/orders/${orderRef}`, { action: 'refund', key: 'early' });

    expect(status).toBe(400);
    expect(html).toContain('The service rejected this: ');
  });

  it.each([
    ['an unknown action', { action: 'delete', key: 'k' }],
    ['no key', { action: 'settle' }],
  ])('responds 400 to a form with %s', async (_title, form: Record<string, string>) => {
    const { buyer, orderRef } = await placeOrder();

    expect((await buyer.post(`/orders/${orderRef}`, form)).status).toBe(400);
  });

  it('responds 403 to a form of another site, and 404 to an unknown order', async () => {
    const { buyer, orderRef, retrieve } = await placeOrder();
    expect((await buyer.post('/orders/AT-XXXXX-XXXXX', { action: 'cancel', key: 'k' })).status).toBe(404);

    buyer.origin = 'https://evil.example';
    expect((await buyer.post(`/orders/${orderRef}`, { action: 'cancel', key: 'k' })).status).toBe(403);

    expect((await retrieve()).status).toBe('AUTHORIZED');
  });

  it('shows times in the zone of the shop, with its name', async () => {
    const { buyer, orderRef } = await placeOrder();
    for (const path of ['/orders', `/orders/${orderRef}`]) {
      const { html } = await buyer.get(path);
      const [, at, shown] = /<time datetime="([^"]+)">(?:<!--[^>]*-->)*([^<]+)/.exec(html)!;
      expect(shown).toBe(new Date(at!).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone }));
      expect(html.replaceAll(/<!--[^>]*-->/g, '')).toContain(`Times are in ${timeZone}`);
    }
  });
});
