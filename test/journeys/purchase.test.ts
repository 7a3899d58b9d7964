/** Complete purchases with the real shop of `demo/` and the real service, in a real browser. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createCart, typed } from '../support/checkout.ts';
import { COLOR_RULES, expectAccessible, openPage, shownBy, startBrowser } from '../support/browser.ts';
import { startService } from '../support/service.ts';
import { startShop } from '../support/shop.ts';

const service = await startService();
const { shopUrl, merchant } = await startShop(service);
const browser = await startBrowser();

describe('A purchase', () => {
  const putInBag = async (page: Page, product: string) => {
    await page.goto(`${shopUrl}/products/${product}`);
    await page.getByRole('button', { name: 'Add to bag' }).click();
    await page.goto(`${shopUrl}/bag`);
  };
  const next = (page: Page) => page.locator('main button[type=submit]').click();
  const fillDetails = async (page: Page, shipping?: string) => {
    for (const [label, value] of [
      ['First name', typed.firstName],
      ['Last name', typed.lastName],
      ['Email', typed.email],
      ['Mobile phone', typed.phone],
      ['Street address', typed.address],
      ['City', typed.city],
      ['ZIP code', typed.zip],
    ] as const) {
      await page.getByLabel(label).first().fill(value);
    }
    await page.getByLabel('State').first().selectOption(typed.state);
    if (shipping) await page.getByRole('radio', { name: shipping }).check();
    await next(page);
  };
  const apply = async (page: Page, taxIdLast4: string) => {
    await page.getByLabel('Date of birth').fill(typed.dateOfBirth);
    await page.getByLabel('Last 4 digits').fill(taxIdLast4);
    await page.getByLabel('Annual income').fill(typed.annualIncome);
    await page.getByLabel('I authorize').check();
    await page.getByLabel('I agree to receive').check();
    await next(page);
  };
  const choosePlan = async (page: Page) => {
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
    await page.getByRole('radio').first().check();
    await next(page);
  };
  const sign = async (page: Page) => {
    await page.getByLabel('I agree to receive').check();
    await page.getByLabel('I have read').check();
    await page.getByLabel('Your full name').fill(typed.signedName);
    await next(page);
  };

  it('leads from the estimate on a product page to the thank-you page, and is authorized by the shop', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shopUrl}/products/turntable`);
    const button = page.locator('financing-button');
    await expect.poll(() => button.locator('[part=estimate]').textContent()).toContain('$59.94');
    expect(await button.locator('[part=disclosure]').textContent()).toContain('$59.94');

    await putInBag(page, 'turntable');
    await expect.poll(() => button.locator('[part=estimate]').textContent()).toMatch(/\$\d+\.\d\d/);
    await button.locator('a[part=button]').click();
    await page.waitForURL(`${service.publicUrl}/c/**`);

    for (const [step, act] of [
      ['details', () => fillDetails(page, 'Free')],
      ['apply', () => apply(page, '1001')],
      ['plans', () => choosePlan(page)],
      ['agreement', () => sign(page)],
    ] as const) {
      expect(await shownBy(page)).toBe(step);
      await act();
    }

    await page.waitForURL(`${shopUrl}/thank-you?**`);
    await expectAccessible(page);
    const { searchParams } = new URL(page.url());
    const transactionId = searchParams.get('transactionId')!;
    expect(await page.locator('main').textContent()).toContain(searchParams.get('orderRef')!);
    const { body } = await merchant.get(`/transactions/${transactionId}`);
    expect(body).toMatchObject({ status: 'AUTHORIZED', merchantOrderId: searchParams.get('orderRef') });
    await page.waitForSelector('[data-status=confirmed]');
    expect(problems).toEqual([]);
  });

  it('can be completed without JavaScript on a phone', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    await putInBag(page, 'bookshelf-speakers');
    const link = page.getByRole('link', { name: 'Pay over time' });
    expect(await link.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(255, 255, 255)');
    await link.click();
    await fillDetails(page, 'Free');
    await apply(page, '1002');
    expect(await shownBy(page)).toBe('plans');
    await page.getByRole('radio').nth(1).check();
    await next(page);
    expect(await page.locator('main').textContent()).toContain('16.99%');
    await sign(page);
    await page.waitForURL(`${shopUrl}/thank-you?**`);
    const transactionId = new URL(page.url()).searchParams.get('transactionId');
    await expect.poll(async () => (await merchant.get(`/transactions/${transactionId}`)).body.status).toBe('AUTHORIZED');
  });

  it('can be completed by keyboard', async () => {
    const { page } = await openPage(browser);
    await page.goto((await createCart(merchant, { completeUrl: `${shopUrl}/thank-you` })).url);
    const type = async (...values: string[]) => {
      for (const value of values) {
        await page.keyboard.press('Tab');
        if (value !== '') await page.keyboard.type(value);
      }
    };
    const { firstName, lastName, email, phone, address, city, zip, dateOfBirth, annualIncome, signedName } = typed;
    await page.locator('#email').focus();
    await page.keyboard.type(email);
    // The ZIP code selects the state.
    await type(phone, firstName, lastName, address, '', city, zip);
    await page.keyboard.press('Enter');
    await page.locator('#dateOfBirth').focus();
    await page.keyboard.type(dateOfBirth);
    // The information before the second consent can be scrolled on narrow screens.
    await type('1001', annualIncome, ' ', '', ' ');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/plans?*');
    await page.keyboard.press('Tab');
    await page.locator('input[name=offerId]').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/agreement?*');
    expect(await page.locator('main').textContent()).toContain('7.99%');
    await page.locator('#electronic').focus();
    await page.keyboard.press('Space');
    await type(' ', signedName);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shopUrl}/thank-you?**`);
  });

  it('shows the adverse action notice after a denial, and links to the shop, which keeps the bag', async () => {
    const { page, problems } = await openPage(browser);
    await putInBag(page, 'amplifier');
    await page.locator('financing-button').locator('a[part=button]').click();
    await fillDetails(page, 'Free');
    await apply(page, '2001');
    expect(await shownBy(page)).toBe('declined');
    await page.getByRole('link', { name: 'pay another way' }).click();
    await page.waitForURL(`${shopUrl}/financing/declined`);
    await page.goto(`${shopUrl}/bag`);
    expect(await page.locator('main').textContent()).toContain('Ember');
    expect(problems).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has no axe violations on any page of the shop in %s mode', async (colorScheme) => {
    const { page } = await openPage(browser, { colorScheme });
    await putInBag(page, 'turntable');
    for (const path of ['/', '/products/turntable', '/bag', '/checkout/card', '/financing/declined']) {
      await page.goto(shopUrl + path);
      await expectAccessible(page, '', colorScheme === 'dark' ? { only: COLOR_RULES } : {});
    }
  });
});
