/** Carts that a button creates from the data of its page, in a real browser against the real service. */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { buy } from '../support/browser.ts';
import { casesOf } from '../support/campaign.ts';
import {
  type ButtonOnPage,
  frameOf,
  givenButtonShop,
  delayCarts,
  modes,
  pressForWindow,
  type ShopPage,
} from '../support/shop.ts';
import { chair } from '../support/checkout.ts';
import { until } from '../support/time.ts';

// A purchase in a browser is slow when several run in parallel.
vi.setConfig({ testTimeout: 40_000 });

const { cartCount, givenButton, merchant } = givenButtonShop();

describe('A cart from the page', () => {
  const shipping = [{ type: 'Van', typeId: 'VAN', cost: 2_500 }];
  const contact = { firstName: 'Ada', lastName: 'Byron', address: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' };
  const sentBy = async ({ page, press }: ShopPage) => {
    const [request] = await Promise.all([page.waitForRequest('**/storefront/carts'), press()]);
    return request.postDataJSON() as { key: string; idempotencyKey: string; options: Record<string, unknown> };
  };

  it('contains only the data of the page, and is sent without cookies or a preflight', async () => {
    const shopPage = await givenButton({
      attributes: { program: 'standard' },
      properties: {
        items: [chair],
        orderRef: 'A 1',
        tax: 100,
        discounts: [{ amount: 500, description: 'Friends' }],
        shippingOptions: shipping,
      },
    });
    const { key, options } = await sentBy(shopPage);
    expect(key).toBe(merchant().apiKey);
    expect(options).toEqual({
      items: [chair],
      orderRef: 'A 1',
      tax: 100,
      discounts: [{ amount: 500, description: 'Friends' }],
      shippingOptions: shipping,
      financingProgramId: 'standard',
      disableEditShipping: false,
    });
  });

  const calculated: [string, ButtonOnPage['properties'], Record<string, unknown>][] = [
    [
      'shipping, at once',
      { calculateShipping: () => [{ type: 'Van', typeId: 'VAN', cost: 2_500 }] },
      { shippingOptions: shipping },
    ],
    ['tax, later', { calculateTax: (to: unknown, billed: unknown) => Promise.resolve(to && !billed ? 825 : 0) }, { tax: 825 }],
  ];
  it.each(calculated)(
    'calls the page to calculate %s, and locks the address used for the calculation',
    async (_what, properties, expected) => {
      const shopPage = await givenButton({ properties: { items: [chair], shippingContact: contact, ...properties } });
      const { options } = await sentBy(shopPage);
      expect(options).toMatchObject({ ...expected, disableEditShipping: true });
    },
  );

  it('lets the buyer change the address if the page allows it or provides no address', async () => {
    const calculateTax = () => 825;
    const message = await givenButton({
      properties: { items: [chair], shippingContact: contact, calculateTax, disableEditShipping: false },
    });
    expect((await sentBy(message)).options['disableEditShipping']).toBe(false);
    const none = await givenButton({ properties: { items: [chair], calculateTax } });
    expect((await sentBy(none)).options['disableEditShipping']).toBe(false);
  });

  const failing: [string, ButtonOnPage['properties']][] = [
    [
      'throws',
      {
        calculateTax: () => {
          throw new Error('No tax today');
        },
      },
    ],
    ['rejects', { calculateShipping: () => Promise.reject(new Error('No van today')) }],
    ['returns a value that cannot be serialized', { calculateTax: () => 1n as unknown as number }],
  ];
  it.each(failing)(
    'is not requested when a page callback %s: the button dispatches an error and can be pressed again',
    async (_how, properties) => {
      const shopPage = await givenButton({ attributes: { mode: 'popup' }, properties: { items: [chair], ...properties } });
      const popup = await pressForWindow(shopPage);
      if (!popup.isClosed()) await popup.waitForEvent('close');
      const events = (await shopPage.events()).map(([type, detail]) => [type, detail]);
      expect(events).toEqual([
        ['start', null],
        ['error', expect.stringMatching(/^(calculate|checkout)$/)],
      ]);
      expect(await shopPage.isBusy()).toBe(false);
      await pressForWindow(shopPage);
    },
  );

  const failures: [string, (page: Page) => Promise<unknown>][] = [
    ['no connection', (page) => page.route('**/storefront/carts', (route) => route.abort('connectionfailed'))],
    [
      '429',
      (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 429, json: { description: 'Later' } })),
    ],
    ['503', (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 503, body: 'Sorry' }))],
    ['garbage', (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 200, body: '<html>' }))],
    [
      'a response without a link',
      (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 200, json: {} })),
    ],
  ];
  it.each(casesOf(failures, ([what]) => ['no connection', 'garbage'].includes(what)))(
    'after %s: the button dispatches an error, and pressing it again requests the same cart',
    async (_what, fail) => {
      const shopPage = await givenButton({ attributes: { mode: 'modal' }, properties: { items: [chair] } });
      await fail(shopPage.page);
      const first = await sentBy(shopPage);
      await expect.poll(shopPage.events).toEqual([
        ['start', null],
        ['error', 'checkout'],
      ]);
      expect(await shopPage.isBusy()).toBe(false);
      await shopPage.page.unroute('**/storefront/carts');
      expect(await sentBy(shopPage)).toEqual(first);
      await frameOf(shopPage.page);
    },
  );

  it('is a new one when the items change', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'modal' }, properties: { items: [chair] } });
    const first = await sentBy(shopPage);
    await frameOf(shopPage.page);
    await shopPage.page.getByRole('dialog').getByRole('button').click();
    await shopPage.page
      .locator('financing-button')
      .evaluate((button, items) => Object.assign(button, { items }), [{ ...chair, quantity: 2 }]);
    expect((await sentBy(shopPage)).idempotencyKey).not.toBe(first.idempotencyKey);
  });

  it('is a new one after a purchase', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'modal' }, properties: { items: [chair] } });
    const first = await sentBy(shopPage);
    await buy(await frameOf(shopPage.page));
    await expect.poll(shopPage.events).toHaveLength(2);
    await shopPage.page.getByRole('dialog').getByRole('button').click();
    expect((await sentBy(shopPage)).idempotencyKey).not.toBe(first.idempotencyKey);
  });

  it.each(modes)('with mode %s: is created once when the button is pressed twice', async (mode) => {
    const shopPage = await givenButton({ attributes: { mode }, properties: { items: [chair] } });
    const before = await cartCount();
    const carts = await delayCarts(shopPage.page);
    // The second click of a double click precedes every other event.
    await shopPage.page.locator('[part=button]').evaluate((button: HTMLElement) => (button.click(), button.click()));
    await carts.letThrough();
    await until(async () => (await cartCount()) === before + 1);
    expect(carts.requestCount()).toBe(1);
  });

  it('can be opened again if the page stays open or is restored from the back/forward cache', async () => {
    const shopPage = await givenButton({ properties: { items: [chair] } });
    // The page is not unloaded: the browser may restore it in this state when the buyer goes back.
    await shopPage.page.route('**/c/**', (route) => route.fulfill({ status: 204 }));
    await Promise.all([shopPage.page.waitForResponse('**/c/**'), shopPage.press()]);
    expect(await shopPage.isBusy()).toBe(false);
    await Promise.all([shopPage.page.waitForResponse('**/c/**'), shopPage.press()]);
  });
});
