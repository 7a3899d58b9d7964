/** The cart that a button opens from what its page says, in a real browser against the real service. */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { buy } from '../support/browser.ts';
import { type ButtonOnPage, frameOf, givenButtonShop, holdCarts, modes, pressForWindow, type ShopPage } from '../support/shop.ts';
import { chair } from '../support/checkout.ts';
import { until } from '../support/time.ts';

// A purchase in a browser takes its time where several run at once.
vi.setConfig({ testTimeout: 40_000 });

const { cartCount, givenButton, merchant } = givenButtonShop();

describe('A cart from the page', () => {
  const shipping = [{ type: 'Van', typeId: 'VAN', cost: 2_500 }];
  const contact = { firstName: 'Ada', lastName: 'Byron', address: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' };
  const sentBy = async ({ page, press }: ShopPage) => {
    const [request] = await Promise.all([page.waitForRequest('**/storefront/carts'), press()]);
    return request.postDataJSON() as { key: string; idempotencyKey: string; options: Record<string, unknown> };
  };

  it('carries what the page says of it, and nothing else; no cookie, and no preflight', async () => {
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
    'asks the page for %s; the address is then the one it was worked out for',
    async (_what, properties, expected) => {
      const shopPage = await givenButton({ properties: { items: [chair], shippingContact: contact, ...properties } });
      const { options } = await sentBy(shopPage);
      expect(options).toMatchObject({ ...expected, disableEditShipping: true });
    },
  );

  it('lets the buyer change the address when the page says so, or when there was none', async () => {
    const calculateTax = () => 825;
    const said = await givenButton({
      properties: { items: [chair], shippingContact: contact, calculateTax, disableEditShipping: false },
    });
    expect((await sentBy(said)).options['disableEditShipping']).toBe(false);
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
    ['answers with what cannot be written', { calculateTax: () => 1n as unknown as number }],
  ];
  it.each(failing)(
    'is not asked for when the page %s: the page is told, and the button can be pressed again',
    async (_how, properties) => {
      const shopPage = await givenButton({ attributes: { mode: 'popup' }, properties: { items: [chair], ...properties } });
      const popup = await pressForWindow(shopPage);
      if (!popup.isClosed()) await popup.waitForEvent('close');
      const told = (await shopPage.heard()).map(([type, detail]) => [type, detail]);
      expect(told).toEqual([
        ['start', null],
        ['error', expect.stringMatching(/^(calculate|checkout)$/)],
      ]);
      expect(await shopPage.isBusy()).toBe(false);
      await pressForWindow(shopPage);
    },
  );

  const refusals: [string, (page: Page) => Promise<unknown>][] = [
    ['no connection', (page) => page.route('**/storefront/carts', (route) => route.abort('connectionfailed'))],
    [
      '429',
      (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 429, json: { description: 'Later' } })),
    ],
    ['503', (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 503, body: 'Sorry' }))],
    ['garbage', (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 200, body: '<html>' }))],
    [
      'an answer without a link',
      (page) => page.route('**/storefront/carts', (route) => route.fulfill({ status: 200, json: {} })),
    ],
  ];
  it.each(refusals)('after %s: the page is told, and pressing again asks for the same cart', async (_what, refuse) => {
    const shopPage = await givenButton({ attributes: { mode: 'modal' }, properties: { items: [chair] } });
    await refuse(shopPage.page);
    const first = await sentBy(shopPage);
    await expect.poll(shopPage.heard).toEqual([
      ['start', null],
      ['error', 'checkout'],
    ]);
    expect(await shopPage.isBusy()).toBe(false);
    await shopPage.page.unroute('**/storefront/carts');
    expect(await sentBy(shopPage)).toEqual(first);
    await frameOf(shopPage.page);
  });

  it('is another one once what is bought is', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'modal' }, properties: { items: [chair] } });
    const first = await sentBy(shopPage);
    await frameOf(shopPage.page);
    await shopPage.page.getByRole('dialog').getByRole('button').click();
    await shopPage.page
      .locator('financing-button')
      .evaluate((button, items) => Object.assign(button, { items }), [{ ...chair, quantity: 2 }]);
    expect((await sentBy(shopPage)).idempotencyKey).not.toBe(first.idempotencyKey);
  });

  it('is another one after a purchase', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'modal' }, properties: { items: [chair] } });
    const first = await sentBy(shopPage);
    await buy(await frameOf(shopPage.page));
    await expect.poll(shopPage.heard).toHaveLength(2);
    await shopPage.page.getByRole('dialog').getByRole('button').click();
    expect((await sentBy(shopPage)).idempotencyKey).not.toBe(first.idempotencyKey);
  });

  it.each(modes)('with mode %s: pressed twice, is made once', async (mode) => {
    const shopPage = await givenButton({ attributes: { mode }, properties: { items: [chair] } });
    const before = await cartCount();
    const carts = await holdCarts(shopPage.page);
    // The second press of a mouse that is pressed twice comes before anything else.
    await shopPage.page.locator('[part=button]').evaluate((button: HTMLElement) => (button.click(), button.click()));
    await carts.letThrough();
    await until(async () => (await cartCount()) === before + 1);
    expect(carts.asked()).toBe(1);
  });

  it('can be opened once more where the page stays, or comes back as it was', async () => {
    const shopPage = await givenButton({ properties: { items: [chair] } });
    // The page is not left: as it is now, the browser may show it again when the buyer goes back.
    await shopPage.page.route('**/c/**', (route) => route.fulfill({ status: 204 }));
    await Promise.all([shopPage.page.waitForResponse('**/c/**'), shopPage.press()]);
    expect(await shopPage.isBusy()).toBe(false);
    await Promise.all([shopPage.page.waitForResponse('**/c/**'), shopPage.press()]);
  });
});
