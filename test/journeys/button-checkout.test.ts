/**
 * From the button on a shop's page to the purchase, in a real browser against the real service: each way to open the checkout, with each
 * way to say what is bought. The shop is on another site, and the browser blocks what third parties store.
 */
import type { Browser, Frame, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buy, fillAndSend, stepOf } from '../support/browser-buyer.ts';
import { expectAccessible, givenChromium } from '../support/chromium.ts';
import { chair, givenCart } from '../support/given.ts';
import { givenService, type TestService } from '../support/service.ts';
import { type ButtonOnPage, givenShopPage, givenShopSite, type ShopPage, type ShopSite } from '../support/shop-page.ts';
import { until } from '../support/until.ts';

// A purchase in a browser takes its time where several run at once.
vi.setConfig({ testTimeout: 40_000 });

let service: TestService;
let shop: ShopSite;
let browser: Browser;
beforeAll(async () => {
  service = await givenService();
  shop = await givenShopSite(service);
  shop.merchant = await service.givenMerchant({ origins: [shop.url], storeUrl: `${shop.url}/thank-you` });
  browser = await givenChromium('--test-third-party-cookie-phaseout');
});

const cartUrl = async (): Promise<string> => (await givenCart(shop.merchant!, { orderRef: 'ORDER 7' })).url;
const givenButton = (on: ButtonOnPage): Promise<ShopPage> => givenShopPage(browser, shop, on);
const cartCount = async (): Promise<number> =>
  Number(
    (
      await service.database.query
        .selectFrom('carts')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  );
const frameOf = (page: Page): Promise<Frame> => until(() => page.frames().find((frame) => stepOf(frame) === 'details'), 10_000);
const pressForWindow = async ({ page, press }: ShopPage): Promise<Page> =>
  (await Promise.all([page.waitForEvent('popup'), press()]))[0];
/** Where each mode shows its checkout, once it is there. */
const openAs = {
  redirect: async ({ page, press }: ShopPage) => {
    await press();
    await page.waitForURL('**/details?**');
    return page;
  },
  popup: async (shopPage: ShopPage) => {
    const popup = await pressForWindow(shopPage);
    await popup.waitForURL('**/details?**display=popup**');
    return popup;
  },
  modal: async ({ page, press }: ShopPage) => {
    await press();
    return frameOf(page);
  },
};
const modes = ['redirect', 'popup', 'modal'] as const;

/** The ways to say what is bought. */
const ways: Record<string, () => Promise<ButtonOnPage>> = {
  'the link of a cart': async () => ({ attributes: { 'cart-url': await cartUrl() } }),
  "an address of the shop's": async () => ({ attributes: { 'cart-url': '/cart' } }),
  'items on the page': async () => ({ properties: { items: [chair], orderRef: 'ORDER 7' } }),
};

describe.each(modes)('The checkout of a button with mode %s', (mode) => {
  it.each(Object.keys(ways))('opened by %s: is bought in, and the merchant reads the purchase', async (way) => {
    const { attributes, ...rest } = await ways[way]!();
    const shopPage = await givenButton({ attributes: { mode, ...attributes }, ...rest });
    const checkout = await openAs[mode](shopPage);

    await buyIn(checkout);

    const transactionId = await until(async () => {
      const known = new URL(shopPage.page.url()).searchParams.get('transactionId');
      const told = (await shopPage.heard()).find(([type]) => type === 'complete')?.[1] as { transactionId: string } | undefined;
      return known ?? told?.transactionId;
    }, 10_000);
    const { status, total } = await shop.merchant!.fairterm.transactions.retrieve(transactionId);
    expect({ status, total }).toEqual({ status: 'PENDING', total: 75_000 });
    expect(wrong(await shopPage.heard())).toEqual([]);
    expect(shopPage.complaints.filter((said) => !said.includes('does not match the recipient window'))).toEqual([]);
  });
});

describe('The link of a button', () => {
  it.each(['popup', 'modal'])('with mode %s: opens in a new tab for who wants that', async (mode) => {
    const { page, heard } = await givenButton({ attributes: { mode, 'cart-url': await cartUrl() } });
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.locator('[part=button]').click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.waitForURL('**/details?**');
    expect(tab.url()).not.toContain('display');
    expect(await page.locator('iframe').count()).toBe(0);
    expect(await heard()).toEqual([['start', null]]);
  });

  it.each(modes)('with mode %s: leads nowhere when the page says so', async (mode) => {
    const { page, press, heard } = await givenButton({ attributes: { mode, 'cart-url': await cartUrl() } });
    await page.evaluate(() => addEventListener('financing-start', (event) => event.preventDefault()));
    await press();
    expect(await heard()).toEqual([['start', null]]);
    expect(page.context().pages()).toHaveLength(1);
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('on a phone: leads on in place of opening a window', async () => {
    const visitor = { isMobile: true, hasTouch: true, viewport: { width: 390, height: 800 } };
    const shopPage = await givenButton({ attributes: { mode: 'popup', 'cart-url': await cartUrl() }, visitor });
    await openAs.redirect(shopPage);
    expect(shopPage.page.context().pages()).toHaveLength(1);
  });
});

describe('A button whose page has not got the part of the script that opens checkouts', () => {
  it.each(['popup', 'modal'])('with mode %s: leads on by its link, and says what is missing', async (mode) => {
    const shopPage = await givenButton({ attributes: { mode, 'cart-url': await cartUrl() }, without: 'checkout.js' });
    await expect.poll(shopPage.heard).toEqual([['error', 'part']]);
    await openAs.redirect(shopPage);
    expect(shopPage.page.context().pages()).toHaveLength(1);
  });
});

describe('The window of a checkout', () => {
  it.each(['items on the page', 'the link of a cart'])(
    'that the browser does not open, by %s: is the page itself',
    async (way) => {
      const { attributes, ...rest } = await ways[way]!();
      const shopPage = await givenButton({ attributes: { mode: 'popup', ...attributes }, ...rest, isSandboxed: true });
      await openAs.redirect(shopPage);
      expect(shopPage.page.url()).not.toContain('display');
    },
  );

  it('opens in the click, however long the cart takes', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'popup' }, properties: { items: [chair] } });
    const carts = await holdCarts(shopPage.page);
    const popup = await pressForWindow(shopPage);
    expect(popup.url()).toBe('about:blank');
    expect(await shopPage.isBusy()).toBe(true);
    await carts.letThrough();
    await popup.waitForURL('**/details?**');
    expect(await shopPage.isBusy()).toBe(false);
  });

  it('stands over the middle of the page', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'popup', 'cart-url': await cartUrl() } });
    const popup = await openAs.popup(shopPage);
    const size = await popup.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    expect(size).toEqual({ width: 520, height: 760 });
  });

  it('that the buyer closes: is noticed, nothing listens any more, and the button can be pressed again', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'popup', 'cart-url': await cartUrl() } });
    const before = await shopPage.listeners();
    const popup = await openAs.popup(shopPage);
    expect(await shopPage.listeners()).toBe(before + 1);
    await popup.close();
    await expect.poll(shopPage.heard, { timeout: 5_000 }).toEqual([
      ['start', null],
      ['close', { reason: 'closed' }],
    ]);
    expect(await shopPage.listeners()).toBe(before);
    await openAs.popup(shopPage);
  });

  it('that the buyer closes before there is a cart: stays closed', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'popup' }, properties: { items: [chair] } });
    const carts = await holdCarts(shopPage.page);
    const popup = await pressForWindow(shopPage);
    await popup.close();
    await expect.poll(shopPage.heard, { timeout: 5_000 }).toContainEqual(['close', { reason: 'closed' }]);
    await carts.letThrough();
    expect(shopPage.page.context().pages()).toHaveLength(1);
    expect((await shopPage.heard()).map(([type]) => type)).toEqual(['start', 'close']);
  });

  it('in which nothing was bought: is told of once, when it is closed', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'popup', 'cart-url': await cartUrl() } });
    const popup = await openAs.popup(shopPage);
    await buy(popup, { taxIdLast4: '2001' });
    await popup.reload();
    await popup.close();
    await expect.poll(shopPage.heard, { timeout: 5_000 }).toEqual([
      ['start', null],
      ['close', { reason: 'not-completed' }],
    ]);
  });

  it('is the only one: pressed again, the button leads to it', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'popup', 'cart-url': await cartUrl() } });
    await openAs.popup(shopPage);
    await shopPage.press();
    expect(shopPage.page.context().pages()).toHaveLength(2);
  });

  it('goes on without the element, which listens no longer', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'popup', 'cart-url': await cartUrl() } });
    const before = await shopPage.listeners();
    const popup = await openAs.popup(shopPage);
    await shopPage.page.locator('financing-button').evaluate((element) => element.remove());
    expect(await shopPage.listeners()).toBe(before);
    await buyIn(popup);
    expect(await shopPage.heard()).toEqual([['start', null]]);
  });

  it('that waits for a cart: closes with the element', async () => {
    const shopPage = await givenButton({ attributes: { mode: 'popup' }, properties: { items: [chair] } });
    await holdCarts(shopPage.page);
    const popup = await pressForWindow(shopPage);
    const closed = popup.waitForEvent('close');
    await shopPage.page.locator('financing-button').evaluate((element) => element.remove());
    await closed;
  });
});

describe('The dialog of a checkout', () => {
  const givenDialog = async (on: ButtonOnPage = {}) => {
    const shopPage = await givenButton({ ...on, attributes: { mode: 'modal', 'cart-url': await cartUrl(), ...on.attributes } });
    const frame = await openAs.modal(shopPage);
    return { ...shopPage, frame };
  };
  const focused = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.shadowRoot?.activeElement?.getAttribute('part') ?? document.activeElement?.tagName,
    );

  it.each([
    ['its button', (page: Page) => page.getByRole('dialog').getByRole('button').click()],
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ])('is closed by %s: the focus is on the button again, and nothing is left of it', async (_by, close) => {
    const { page, heard, listeners } = await givenDialog();
    expect(await page.getByRole('dialog', { name: 'Checkout' }).count()).toBe(1);
    expect(await page.getByTitle('Checkout').count()).toBe(1);
    await close(page);
    await expect.poll(heard).toEqual([
      ['start', null],
      ['close', { reason: 'closed' }],
    ]);
    expect(await page.locator('iframe').count()).toBe(0);
    expect(await focused(page)).toBe('button');
    expect(await listeners()).toBe(0);
  });

  it('stays to be read after the purchase, and closing it says no more', async () => {
    const { page, frame, heard } = await givenDialog();
    await buyIn(frame);
    await expect.poll(heard).toHaveLength(2);
    expect(await frame.locator('h1').textContent()).toBe('This purchase is complete');
    await page.getByRole('dialog').getByRole('button').click();
    await page.locator('iframe').waitFor({ state: 'detached' });
    expect((await heard()).map(([type]) => type)).toEqual(['start', 'complete']);
  });

  it('keeps the page behind where it is', async () => {
    const { page } = await givenDialog({ around: '$<p class="long"></p>' });
    await page.evaluate(() => ((document.querySelector('.long') as HTMLElement).style.height = '5000px'));
    const box = (await page.locator('iframe').boundingBox())!;
    for (const [x, y] of [
      [box.x + 50, box.y + 50],
      [5, 300],
    ] as const) {
      await page.mouse.move(x, y);
      for (let turns = 0; turns < 30; turns++) await page.mouse.wheel(0, 400);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    }
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  it.each(['light', 'dark'] as const)('has nothing in the way of a reader: %s', async (colorScheme) => {
    const { page } = await givenDialog({ visitor: { colorScheme } });
    await expectAccessible(page);
  });

  it('is all there is of a small screen', async () => {
    const { page } = await givenDialog({ visitor: { isMobile: true, hasTouch: true, viewport: { width: 390, height: 800 } } });
    expect(await page.getByRole('dialog').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
  });

  it('goes with the element', async () => {
    const { page, heard, listeners } = await givenDialog();
    await page.locator('financing-button').evaluate((element) => element.remove());
    await expect.poll(() => page.frames()).toHaveLength(1);
    expect(await listeners()).toBe(0);
    expect(await heard()).toEqual([['start', null]]);
  });

  it('gives the form around the button the transaction, and sends the form', async () => {
    const { page, frame } = await givenDialog({
      attributes: { name: 'financing', 'auto-submit': '' },
      around: '<form action="/order">$</form>',
    });
    await buyIn(frame);
    await page.waitForURL('**/order?financing=*');
    const transactionId = new URL(page.url()).searchParams.get('financing')!;
    expect(await shop.merchant!.fairterm.transactions.retrieve(transactionId)).toMatchObject({ status: 'PENDING' });
  });
});

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
    expect(key).toBe(shop.merchant!.apiKey);
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
    await buyIn(await frameOf(shopPage.page));
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

/** What should not have happened on the page. */
const wrong = (heard: Awaited<ReturnType<ShopPage['heard']>>) => heard.filter(([type]) => !['start', 'complete'].includes(type));

/** Buys; a window may close itself once that is done. */
async function buyIn(checkout: Page | Frame): Promise<void> {
  while (stepOf(checkout) !== 'agreement') await fillAndSend(checkout);
  await fillAndSend(checkout).catch(() => undefined);
}

/** Keeps requests for carts from being answered until they are let through. */
async function holdCarts(page: Page): Promise<{ letThrough(): Promise<void>; asked(): number }> {
  let asked = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route('**/storefront/carts', async (route) => {
    asked++;
    await opened;
    await route.continue().catch(() => undefined);
  });
  return {
    asked: () => asked,
    letThrough: async () => {
      const answered = page.waitForResponse('**/storefront/carts');
      open();
      await answered;
    },
  };
}
