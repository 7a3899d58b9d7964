/** Progressive enhancement of the checkout pages by their script, in a real browser. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts } from '../../server/base/texts.ts';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { fillAndSend, openPage, startBrowser, stepOf } from '../support/browser.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createCart } from '../support/checkout.ts';
import { listen } from '../support/http.ts';
import { respondsWith, startLender } from '../support/lenders.ts';
import { fetchResponse, startService } from '../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();
const browser = await startBrowser();

describe('The script of checkout pages', () => {
  const button = (page: Page) => page.locator(`main form[action*="/${stepOf(page)}"] button[type=submit]`);

  it('is smaller than 2.75 KiB, can be cached for a year, and has a content hash in its URL', async () => {
    const source = readFileSync('server/checkout/web/client/enhance.js');
    expect(gzipSync(source, { level: 9 }).length).toBeLessThan(2_816);
    const { text } = await fetchResponse((await createCart(merchant)).url.replace(/$/, '/details'));
    const path = /<script type="module" src="([^"]+)"><\/script>/.exec(text)![1]!;
    const response = await fetchResponse(service.publicUrl + path);
    expect(response).toMatchObject({ status: 200, text: source.toString() });
    expect(response.headers.get('content-type')).toContain('javascript');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(path).toMatch(/\?v=[\w-]{22}$/);
    expect(source.toString()).not.toMatch(/eval|Function\(|innerHTML|localStorage|sessionStorage|cookie|indexedDB/);
  });

  it('submits a form once if its button is pressed twice', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto((await createCart(merchant)).url);
    // Counts and aborts the requests so that the page stays open for inspection.
    const result = await page.evaluate(async () => {
      const form = document.querySelector<HTMLFormElement>('main form')!;
      const submitButton = form.querySelector('button')!;
      let submissions = 0;
      addEventListener('submit', (event) => {
        if (!event.defaultPrevented) submissions += 1;
        event.preventDefault();
      });
      submitButton.click();
      submitButton.click();
      await new Promise((done) => setTimeout(done, 10));
      const isDisabled = submitButton.disabled;
      form.requestSubmit();
      return { submissions, isDisabled };
    });
    expect(result).toEqual({ submissions: 1, isDisabled: true });
    expect(problems).toEqual([]);
  });

  it('inserts slashes into a date typed as digits, and leaves a date with slashes unchanged', async () => {
    const { page } = await openPage(browser);
    await page.goto((await createCart(merchant)).url);
    await fillAndSend(page);
    const date = page.locator('#dateOfBirth');
    for (const [keys, expected] of [
      ['12101990', '12/10/1990'],
      ['1/2/1990', '1/2/1990'],
      ['01/02/1990', '01/02/1990'],
      ['1990-12-10', '1990-12-10'],
    ] as const) {
      await date.fill('');
      await date.pressSequentially(keys);
      expect(await date.inputValue()).toBe(expected);
    }
    await date.fill('12/10/1990');
    for (let presses = 0; presses < 5; presses++) await date.press('Backspace');
    expect(await date.inputValue()).toBe('12/10');
  });

  it('selects the state of a ZIP code, and inserts commas into the income', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto((await createCart(merchant)).url);
    const state = page.locator('#state');
    for (const [zip, expected] of [
      ['6270', ''],
      ['62701', 'IL'],
      ['88595', 'TX'],
      ['00601', ''],
      ['42222', 'KY'],
      ['42223', ''],
      ['06390', ''],
    ] as const) {
      await page.locator('#zip').fill('');
      await page.locator('#zip').pressSequentially(zip);
      expect(await state.inputValue()).toBe(expected);
    }
    for (const [chosen, zip] of [
      ['TN', '42223'],
      ['TN', '40601'],
      ['NY', '06390'],
    ] as const) {
      await page.locator('#zip').fill('');
      await state.selectOption(chosen);
      await page.locator('#zip').pressSequentially(zip);
      expect(await state.inputValue(), 'a state that the buyer chose stays').toBe(chosen);
    }
    await fillAndSend(page);
    const income = page.locator('#annualIncome');
    await income.pressSequentially('1260000');
    expect(await income.inputValue()).toBe('1,260,000');
    await income.press('Backspace');
    expect(await income.inputValue()).toBe('126,000');
    expect(problems).toEqual([]);
  });

  it('lets a buyer who returns to a form submit it again', async () => {
    const { page } = await openPage(browser);
    await page.goto((await createCart(merchant)).url);
    await fillAndSend(page);
    expect(stepOf(page)).toBe('apply');
    await page.goBack();
    expect(stepOf(page)).toBe('details');
    expect(await button(page).isEnabled()).toBe(true);
    await fillAndSend(page, { firstName: 'Grace' });
    expect(stepOf(page)).toBe('apply');
  });

  it('updates the total with the selected shipping, and again when the selection changes', async () => {
    const { page } = await openPage(browser);
    const shippingOptions = [
      { type: 'Ground', typeId: 'ground', cost: 0 },
      { type: 'Express', typeId: 'express', cost: 2_900 },
    ];
    await page.goto((await createCart(merchant, { shippingOptions })).url);
    const totals = async () => (await page.locator('dl.totals').innerText()).split(/\s*\n\s*/);
    expect(await totals()).toEqual(['Subtotal', '$750.00', 'Total before shipping', '$750.00']);
    await page.getByRole('radio', { name: 'Express' }).check();
    expect(await totals()).toEqual(['Subtotal', '$750.00', 'Express', '$29.00', 'Total', '$779.00']);
    expect(await page.locator('aside summary').textContent()).toContain('$779.00');
    await page.getByRole('radio', { name: 'Ground' }).check();
    expect(await totals()).toEqual(['Subtotal', '$750.00', 'Ground', 'Free', 'Total', '$750.00']);
    await fillAndSend(page, { shippingTypeId: 'express' });
    expect(await page.locator('dl.totals').innerText()).toContain('$779.00');
  });

  it('focuses the error summary after an invalid submission', async () => {
    const { page } = await openPage(browser);
    await page.goto((await createCart(merchant)).url);
    await button(page).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('error-summary');
  });

  /** Opens the page of a buyer whose lender decides when the test calls `decide`. */
  const openWaiting = async (options: Partial<CartOptions> = {}) => {
    // Not a valid decision, so its outcome is unknown.
    let respond = respondsWith({ outcome: 'undecided' });
    const lender = await startLender((...received) => respond(...received));
    const slow = await startService(undefined, { lender: lender.endpoint });
    const merchantOfLender = await slow.createMerchant();
    const cart = await createCart(merchantOfLender, options);
    const { page, problems } = await openPage(browser);
    await page.goto(cart.url);
    await fillAndSend(page);
    await fillAndSend(page);
    expect(await page.locator('h1').textContent()).toContain('The lender is reviewing your application');
    const decide = () => (respond = respondsWith({ outcome: 'approved', tierId: 'A', limitCents: null }));
    return { page, problems, cart, merchant: merchantOfLender, decide };
  };

  it('continues automatically after the decision of a slow lender, and states this only if scripts run', async () => {
    const { page, problems, decide } = await openWaiting();
    const { page: pageWithoutScript } = await openPage(browser, { javaScriptEnabled: false });
    for (const { language, checking } of [texts.es, texts.en]) {
      const url = new URL(page.url());
      url.searchParams.set('lang', language);
      await Promise.all([page, pageWithoutScript].map((tab) => tab.goto(url.href)));
      const message = await Promise.all([page, pageWithoutScript].map((tab) => tab.locator('main').innerText()));
      expect(message.map((text) => [checking.automatic, checking.manual].map((sentence) => text.includes(sentence)))).toEqual([
        [true, false],
        [false, true],
      ]);
    }

    decide();
    await page.waitForURL('**/plans?**');
    expect(problems).toEqual([]);
  }, 40_000);

  it('shows the decision about an order that the merchant has ended while the lender was deciding, with a link to errorUrl', async () => {
    const shop = await listen((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>Shop</h1>'));
    onCleanup(shop.stop);
    const { page, problems, cart, merchant: owner, decide } = await openWaiting({ errorUrl: `${shop.url}/pay-another-way` });
    await owner.post(`/carts/${cart.id}/expire`);
    decide();
    await page.getByRole('heading', { name: 'Approved, but this order is closed' }).waitFor();
    await page.getByRole('link', { name: 'Return to' }).click();
    await page.waitForURL(`${shop.url}/pay-another-way`);
    expect(problems).toEqual([]);
  }, 40_000);
});
