/** Carts that a button creates from the data of its page, in a real browser with the real service. */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { buy } from '../support/browser.ts';
import { casesOf } from '../support/campaign.ts';
import { frameOf, createButtonShop, delayCarts, modes, pressForWindow, type ShopPage } from '../support/shop.ts';
import { chair } from '../support/checkout.ts';
import { until } from '../support/time.ts';

// Several purchases run in parallel, which slows down the browser.
vi.setConfig({ testTimeout: 40_000 });

const { cartCount, renderButton, merchant } = createButtonShop();

describe('A cart from the page', () => {
  const shipping = [{ type: 'Van', typeId: 'VAN', cost: 2_500 }];
  const contact = { firstName: 'Ada', lastName: 'Byron', address: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' };
  const pressAndCapture = async ({ page, press }: ShopPage) => {
    const [request] = await Promise.all([page.waitForRequest('**/storefront/carts'), press()]);
    return request.postDataJSON() as { key: string; idempotencyKey: string; options: Record<string, unknown> };
  };

  it('contains only the data of the page', async () => {
    const shopPage = await renderButton({
      attributes: { program: 'standard' },
      properties: {
        items: [chair],
        orderRef: 'A 1',
        tax: 100,
        discounts: [{ amount: 500, description: 'Friends' }],
        shippingOptions: shipping,
        shippingContact: contact,
        disableEditShipping: true,
      },
    });
    const { key, options } = await pressAndCapture(shopPage);
    expect(key).toBe(merchant().apiKey);
    expect(options).toEqual({
      items: [chair],
      orderRef: 'A 1',
      tax: 100,
      discounts: [{ amount: 500, description: 'Friends' }],
      shippingOptions: shipping,
      shippingContact: contact,
      disableEditShipping: true,
      financingProgramId: 'standard',
    });
  });

  it('is not created if a property cannot be serialized, and the button dispatches an error and can be pressed again', async () => {
    const properties = { items: [chair], tax: 1n as unknown as number };
    const shopPage = await renderButton({ attributes: { mode: 'popup' }, properties });
    const popup = await pressForWindow(shopPage);
    if (!popup.isClosed()) await popup.waitForEvent('close');
    const events = (await shopPage.events()).map(([type, detail]) => [type, detail]);
    expect(events).toEqual([
      ['start', null],
      ['error', 'checkout'],
    ]);
    expect(await shopPage.isBusy()).toBe(false);
    await pressForWindow(shopPage);
  });

  const failures: [string, (page: Page) => Promise<unknown>][] = [
    ['no connection', (page) => page.route('**/storefront/carts', (route) => route.abort('connectionfailed'))],
    [
      '429',
      (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 429, json: { description: 'Later' } })),
    ],
    ['503', (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 503, body: 'Sorry' }))],
    ['invalid JSON', (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 200, body: '<html>' }))],
    [
      'a response without a link',
      (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 200, json: {} })),
    ],
  ];
  it.each(casesOf(failures, ([title]) => ['no connection', 'invalid JSON'].includes(title)))(
    'is requested again with the same key after %s, for which the button dispatches an error',
    async (_title, fail) => {
      const shopPage = await renderButton({ attributes: { mode: 'modal' }, properties: { items: [chair] } });
      await fail(shopPage.page);
      const first = await pressAndCapture(shopPage);
      await expect.poll(shopPage.events).toEqual([
        ['start', null],
        ['error', 'checkout'],
      ]);
      expect(await shopPage.isBusy()).toBe(false);
      await shopPage.page.unroute('**/storefront/carts');
      expect(await pressAndCapture(shopPage)).toEqual(first);
      await frameOf(shopPage.page);
    },
  );

  it('is a new one after the items have changed', async () => {
    const shopPage = await renderButton({ attributes: { mode: 'modal' }, properties: { items: [chair] } });
    const first = await pressAndCapture(shopPage);
    await frameOf(shopPage.page);
    await shopPage.page.getByRole('dialog').getByRole('button').click();
    await shopPage.page
      .locator('financing-button')
      .evaluate((button, items) => Object.assign(button, { items }), [{ ...chair, quantity: 2 }]);
    expect((await pressAndCapture(shopPage)).idempotencyKey).not.toBe(first.idempotencyKey);
  });

  it('is a new one after a purchase', async () => {
    const shopPage = await renderButton({ attributes: { mode: 'modal' }, properties: { items: [chair] } });
    const first = await pressAndCapture(shopPage);
    await buy(await frameOf(shopPage.page));
    await expect.poll(shopPage.events).toHaveLength(2);
    await shopPage.page.getByRole('dialog').getByRole('button').click();
    expect((await pressAndCapture(shopPage)).idempotencyKey).not.toBe(first.idempotencyKey);
  });

  it.each(modes)('is created once for a double click: mode %s', async (mode) => {
    const shopPage = await renderButton({ attributes: { mode }, properties: { items: [chair] } });
    const before = await cartCount();
    const carts = await delayCarts(shopPage.page);
    // The second click of a double click occurs before any other event.
    await shopPage.page.locator('[part=button]').evaluate((button: HTMLElement) => (button.click(), button.click()));
    await carts.letThrough();
    await until(async () => (await cartCount()) === before + 1);
    expect(carts.requestCount()).toBe(1);
  });

  it('can be opened again if the browser does not leave the page', async () => {
    const shopPage = await renderButton({ properties: { items: [chair] } });
    // The navigation responds 204, so the page stays in the state that the back/forward cache would restore.
    await shopPage.page.route('**/c/**', (route) => route.fulfill({ status: 204 }));
    await Promise.all([shopPage.page.waitForResponse('**/c/**'), shopPage.press()]);
    expect(await shopPage.isBusy()).toBe(false);
    await Promise.all([shopPage.page.waitForResponse('**/c/**'), shopPage.press()]);
  });
});
