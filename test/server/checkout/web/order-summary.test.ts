import type { Page as Tab } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, startBrowser } from '../../../support/browser.ts';
import { chair, createCart, open, reachAgreement, reachDecision, submit } from '../../../support/checkout.ts';
import { type Page } from '../../../support/page.ts';
import { startService } from '../../../support/service.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 844 };
const paymentIn = (page: Page) => page.texts('p', { class: 'payment' }).map((text) => text.replace(/\s+/g, ' ').trim());
const summaryOf = (page: Page) => page.texts('summary')[0]!.replace(/\s+/g, ' ').trim();

const browser = await startBrowser();
const merchant = await (await startService()).createMerchant();

describe('The order on a page of the checkout', () => {
  const link = async () => (await createCart(merchant)).url;
  const visit = async (options: { viewport: typeof PHONE; javaScriptEnabled?: boolean }): Promise<Tab> => {
    const { page } = await openPage(browser, options);
    await page.goto(await link());
    return page;
  };

  it.each([true, false])('is folded above the form on a phone, and opens there, with scripts: %s', async (javaScriptEnabled) => {
    const page = await visit({ viewport: PHONE, javaScriptEnabled });
    const items = page.locator('aside .items');
    const top = async (selector: string) => (await page.locator(selector).boundingBox())!.y;

    expect(await top('aside')).toBeLessThan(await top('main'));
    expect(await items.isVisible()).toBe(false);
    expect(await page.locator('aside summary').innerText()).toMatch(/Your order\s+\$750\.00\s+See the monthly payment/);
    await page.locator('aside summary').click();
    expect(await items.isVisible()).toBe(true);
    expect(await page.locator('aside h2').isVisible()).toBe(false);
  });

  it('is open next to the form on a wide screen, without a control', async () => {
    const page = await visit({ viewport: DESKTOP, javaScriptEnabled: false });
    const aside = (await page.locator('aside').boundingBox())!;
    const main = (await page.locator('main').boundingBox())!;

    expect(aside.x).toBeGreaterThan(main.x + main.width);
    expect(aside.y).toBe(main.y);
    expect(await page.locator('aside .items').isVisible()).toBe(true);
    expect(await page.locator('aside .payment').isVisible()).toBe(true);
    expect(await page.getByRole('heading', { name: 'Your order' }).isVisible()).toBe(true);
    expect(await page.locator('aside summary').isVisible()).toBe(false);
  });

  it('shows markup in the texts of the cart as text', async () => {
    const markup = '"><script>alert(1)</script>';
    const items = [{ ...chair, name: markup }];
    const { url } = await createCart(merchant, { items, discounts: [{ amount: 1, description: markup }] });
    const { text } = await open(url);
    expect(text).not.toContain('<script>');
    expect(text.match(/&lt;script&gt;/g)).toHaveLength(2);
  });

  it('states a payment only together with its terms until the lender has decided: 12 CFR 1026.24(d)', async () => {
    const { body } = await merchant.post('/aslowas', { customTotal: 75_000 });
    const { amount, asLowAsText } = body.asLowAs;
    const details = await open(await link());
    const apply = await submit(details);

    for (const page of [details, apply]) {
      expect(paymentIn(page)).toEqual([`As low as ${amount} a month. ${asLowAsText}`]);
      expect(summaryOf(page)).toBe('Your order$750.00 See the monthly payment');
    }
  });

  it('states the lowest payment of the approved plans, and then that of the chosen plan', async () => {
    const plans = await reachDecision(await link(), { taxIdLast4: '1003' });
    const [monthly] = plans.texts('span', { class: 'monthly' });
    const lowest = /\$[\d.]+/.exec(monthly!)![0];
    expect(paymentIn(plans)).toEqual([`From ${lowest} a month`]);
    expect(summaryOf(plans)).toBe(`Your order$750.00 From ${lowest} a month`);

    const agreement = await reachAgreement(await link());
    expect(paymentIn(agreement)).toEqual([expect.stringMatching(/^\$[\d.]+ a month for \d+ months$/)]);
  });
});
