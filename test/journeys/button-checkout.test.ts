/**
 * Purchases from a button on a shop's page, in a real browser with the real service. Combines each display mode with each way to
 * specify the cart.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { buy, COLOR_RULES, expectAccessible, fillAndSend } from '../support/browser.ts';
import { casesOf } from '../support/campaign.ts';
import {
  type ButtonOnPage,
  createButtonShop,
  delayCarts,
  modes,
  openAs,
  pressForWindow,
  type ShopPage,
} from '../support/shop.ts';
import { chair } from '../support/checkout.ts';
import { until } from '../support/time.ts';

// Several purchases run in parallel, which slows down the browser.
vi.setConfig({ testTimeout: 40_000 });

const { renderButton, createCartUrl, merchant, shopUrl } = createButtonShop();

/** Ways to specify the cart. */
const cartSources: Record<string, () => Promise<ButtonOnPage>> = {
  'the link of a cart': async () => ({ attributes: { 'cart-url': await createCartUrl() } }),
  'a URL of the shop': async () => ({ attributes: { 'cart-url': '/cart' } }),
  'items on the page': async () => ({ properties: { items: [chair], orderRef: 'ORDER 7' } }),
};

/** The way to specify the cart that `npm test` combines with each mode. */
const typicalSources = { redirect: 'the link of a cart', popup: 'items on the page', modal: 'a URL of the shop' };

describe.each(modes)('The checkout of a button with mode %s', (mode) => {
  it.each(casesOf(Object.keys(cartSources), (source) => source === typicalSources[mode]))(
    'completes a purchase that the merchant can retrieve, opened by %s',
    async (source) => {
      const { attributes, ...rest } = await cartSources[source]!();
      const shopPage = await renderButton({ attributes: { mode, ...attributes }, ...rest });
      const checkout = await openAs[mode](shopPage);

      await buy(checkout);

      const transactionId = await until(async () => {
        const fromUrl = new URL(shopPage.page.url()).searchParams.get('transactionId');
        const completion = (await shopPage.events()).find(([type]) => type === 'complete')?.[1] as
          | { transactionId: string }
          | undefined;
        return fromUrl ?? completion?.transactionId;
      });
      const { status, total } = await merchant().fairterm.transactions.retrieve(transactionId);
      expect({ status, total }).toEqual({ status: 'PENDING', total: 75_000 });
      expect(unexpected(await shopPage.events())).toEqual([]);
      expect(shopPage.problems.filter((message) => !message.includes('does not match the recipient window'))).toEqual([]);
    },
  );
});

describe('The link of a button', () => {
  // Chromium's headless shell does not always load the new tab, so this test checks that the click is not prevented.
  it('leaves a modified click to the browser in popup and modal mode', async () => {
    const { page, events } = await renderButton({ attributes: { 'cart-url': await createCartUrl() } });
    for (const [index, mode] of ['popup', 'modal'].entries()) {
      await setMode(page, mode);
      // Clicks on the control end at the element, so that a card around it does not follow its link.
      const click = page.locator('financing-button').evaluate(
        ({ shadowRoot }) =>
          new Promise<{ isPrevented: boolean; href: string }>((resolve) =>
            shadowRoot!.addEventListener(
              'click',
              (event) => {
                const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
                resolve({ isPrevented: event.defaultPrevented, href: link?.href ?? '' });
                event.preventDefault();
              },
              { once: true },
            ),
          ),
      );
      await page.locator('[part=button]').click({ modifiers: ['ControlOrMeta'] });
      const { isPrevented, href } = await click;
      expect([mode, isPrevented]).toEqual([mode, false]);
      expect(new URL(href).pathname).toMatch(/^\/c\//);
      expect(href).not.toContain('display');
      expect(await page.locator('iframe').count()).toBe(0);
      expect(page.context().pages()).toHaveLength(1);
      expect(await events()).toEqual(Array.from({ length: index + 1 }, () => ['start', null]));
    }
  });

  it('is not followed in any mode if the page cancels the event', async () => {
    const { page, press, events } = await renderButton({ attributes: { 'cart-url': await createCartUrl() } });
    await page.evaluate(() => addEventListener('financing-start', (event) => event.preventDefault()));
    for (const [index, mode] of modes.entries()) {
      await setMode(page, mode);
      await press();
      expect([mode, ...(await events())]).toEqual([mode, ...Array.from({ length: index + 1 }, () => ['start', null])]);
      expect(page.context().pages()).toHaveLength(1);
      expect(await page.locator('iframe').count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe('/');
    }
  });

  it('navigates on a phone instead of opening a popup', async () => {
    const visitor = { isMobile: true, hasTouch: true, viewport: { width: 390, height: 800 } };
    const shopPage = await renderButton({ attributes: { mode: 'popup', 'cart-url': await createCartUrl() }, visitor });
    await openAs.redirect(shopPage);
    expect(shopPage.page.context().pages()).toHaveLength(1);
  });
});

describe('A button whose page failed to load the checkout module', () => {
  it.each(['popup', 'modal'])('follows its link and dispatches an error: mode %s', async (mode) => {
    const shopPage = await renderButton({ attributes: { mode, 'cart-url': await createCartUrl() }, without: 'checkout.js' });
    await expect.poll(shopPage.events).toEqual([['error', 'part']]);
    await openAs.redirect(shopPage);
    expect(shopPage.page.context().pages()).toHaveLength(1);
  });
});

describe('The popup of a checkout', () => {
  it.each(['items on the page', 'the link of a cart'])(
    'is replaced by a redirect if the browser blocks it, with %s',
    async (source) => {
      const { attributes, ...rest } = await cartSources[source]!();
      const shopPage = await renderButton({ attributes: { mode: 'popup', ...attributes }, ...rest, isSandboxed: true });
      await openAs.redirect(shopPage);
      expect(shopPage.page.url()).not.toContain('display');
    },
  );

  it('opens during the click, before the cart is created', async () => {
    const shopPage = await renderButton({ attributes: { mode: 'popup' }, properties: { items: [chair] } });
    const carts = await delayCarts(shopPage.page);
    const popup = await pressForWindow(shopPage);
    expect(popup.url()).toBe('about:blank');
    expect(await shopPage.isBusy()).toBe(true);
    await carts.letThrough();
    await popup.locator('main[data-step="details"]').waitFor();
    expect(await shopPage.isBusy()).toBe(false);
  });

  it('has a size of 520 by 760 pixels, and is not opened a second time if the button is pressed again', async () => {
    const shopPage = await renderButton({ attributes: { mode: 'popup', 'cart-url': await createCartUrl() } });
    const popup = await openAs.popup(shopPage);
    const size = await popup.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    expect(size).toEqual({ width: 520, height: 760 });
    await shopPage.press();
    expect(shopPage.page.context().pages()).toHaveLength(2);
  });

  it('enables the button and removes its listeners after the buyer closes it', async () => {
    const shopPage = await renderButton({ attributes: { mode: 'popup', 'cart-url': await createCartUrl() } });
    const before = await shopPage.listeners();
    const popup = await openAs.popup(shopPage);
    expect(await shopPage.listeners()).toBe(before + 1);
    await popup.close();
    await expect.poll(shopPage.events).toEqual([
      ['start', null],
      ['close', { reason: 'closed' }],
    ]);
    expect(await shopPage.listeners()).toBe(before);
    await openAs.popup(shopPage);
  });

  it('stays closed if the buyer closes it before the cart is created', async () => {
    const shopPage = await renderButton({ attributes: { mode: 'popup' }, properties: { items: [chair] } });
    const carts = await delayCarts(shopPage.page);
    const popup = await pressForWindow(shopPage);
    await popup.close();
    await expect.poll(shopPage.events).toContainEqual(['close', { reason: 'closed' }]);
    await carts.letThrough();
    expect(shopPage.page.context().pages()).toHaveLength(1);
    expect((await shopPage.events()).map(([type]) => type)).toEqual(['start', 'close']);
  });

  it('dispatches one close event if it is closed without a purchase', async () => {
    const shopPage = await renderButton({ attributes: { mode: 'popup', 'cart-url': await createCartUrl() } });
    const popup = await openAs.popup(shopPage);
    await buy(popup, { taxIdLast4: '2001' });
    await popup.reload();
    await popup.close();
    await expect.poll(shopPage.events).toEqual([
      ['start', null],
      ['close', { reason: 'not-completed' }],
    ]);
  });

  it('stays open when the element is removed, which removes its listeners', async () => {
    const shopPage = await renderButton({ attributes: { mode: 'popup', 'cart-url': await createCartUrl() } });
    const before = await shopPage.listeners();
    const popup = await openAs.popup(shopPage);
    await shopPage.page.locator('financing-button').evaluate((element) => element.remove());
    expect(await shopPage.listeners()).toBe(before);
    await buy(popup);
    expect(await shopPage.events()).toEqual([['start', null]]);
  });

  it('closes when the element is removed before the cart is created', async () => {
    const shopPage = await renderButton({ attributes: { mode: 'popup' }, properties: { items: [chair] } });
    await delayCarts(shopPage.page);
    const popup = await pressForWindow(shopPage);
    const closed = popup.waitForEvent('close');
    await shopPage.page.locator('financing-button').evaluate((element) => element.remove());
    await closed;
  });
});

describe('The dialog of a checkout', () => {
  const openDialog = async (options: ButtonOnPage = {}) => {
    const shopPage = await renderButton({
      ...options,
      attributes: { mode: 'modal', 'cart-url': await createCartUrl(), ...options.attributes },
    });
    const frame = await openAs.modal(shopPage);
    return { ...shopPage, frame };
  };
  const focusedPart = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.shadowRoot?.activeElement?.getAttribute('part') ?? document.activeElement?.tagName,
    );

  it.each([
    ['its button', (page: Page) => page.getByRole('dialog').getByRole('button').click()],
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ])('is removed by %s, which returns the focus to the button', async (_title, close) => {
    const { page, events, listeners } = await openDialog();
    expect(await page.getByRole('dialog', { name: 'Checkout' }).count()).toBe(1);
    expect(await page.getByTitle('Checkout').count()).toBe(1);
    await close(page);
    await expect.poll(events).toEqual([
      ['start', null],
      ['close', { reason: 'closed' }],
    ]);
    expect(await page.locator('iframe').count()).toBe(0);
    expect(await focusedPart(page)).toBe('button');
    expect(await listeners()).toBe(0);
  });

  it('stays open after the purchase, and closing it dispatches no further event', async () => {
    const { page, frame, events } = await openDialog();
    await buy(frame);
    await expect.poll(events).toHaveLength(2);
    expect(await frame.locator('h1').textContent()).toBe('Your purchase is complete');
    await page.getByRole('dialog').getByRole('button').click();
    await page.locator('iframe').waitFor({ state: 'detached' });
    expect((await events()).map(([type]) => type)).toEqual(['start', 'complete']);
  });

  it('prevents scrolling of the page behind it', async () => {
    const { page } = await openDialog({ around: '$<p class="long"></p>' });
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

  it('has no accessibility violations in a light and a dark scheme', async () => {
    const { page } = await openDialog({ visitor: { colorScheme: 'light' } });
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, 'dark', { only: COLOR_RULES });
  });

  it('fills a small screen', async () => {
    const { page } = await openDialog({ visitor: { isMobile: true, hasTouch: true, viewport: { width: 390, height: 800 } } });
    expect(await page.getByRole('dialog').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
  });

  it('closes when the element is removed', async () => {
    const { page, events, listeners } = await openDialog();
    await page.locator('financing-button').evaluate((element) => element.remove());
    await expect.poll(() => page.frames()).toHaveLength(1);
    expect(await listeners()).toBe(0);
    expect(await events()).toEqual([['start', null]]);
  });
});

describe.each(['popup', 'modal'] as const)('A failed checkout with mode %s', (mode) => {
  /** Opens a checkout and cancels its application. `preventsDefault` cancels the close event of the button. */
  const openCanceledCheckout = async (preventsDefault = false): Promise<ShopPage & { errorUrl: string }> => {
    const errorUrl = `${shopUrl()}/pay-another-way?order=7`;
    const shopPage = await renderButton({ attributes: { mode, 'cart-url': await createCartUrl({ errorUrl }) } });
    if (preventsDefault)
      await shopPage.page.evaluate(() => addEventListener('financing-close', (event) => event.preventDefault()));
    const checkout = await openAs[mode](shopPage);
    await fillAndSend(checkout);
    await checkout.getByRole('link', { name: 'Cancel' }).click();
    // The popup or frame may close before Playwright releases the mouse button.
    await checkout
      .getByRole('button', { name: 'Cancel my application' })
      .click()
      .catch(() => undefined);
    return { ...shopPage, errorUrl };
  };

  it('closes, and the page navigates to errorUrl', async () => {
    const { page, errorUrl } = await openCanceledCheckout();
    await page.waitForURL(errorUrl);
    await expect.poll(() => page.context().pages()).toHaveLength(1);
  });

  it('closes, and the page does not navigate if it cancels the event', async () => {
    const { page, errorUrl, events, listeners } = await openCanceledCheckout(true);
    await expect.poll(events).toEqual([
      ['start', null],
      ['close', { reason: 'not-completed', errorUrl }],
    ]);
    expect(await page.locator('iframe').count()).toBe(0);
    await expect.poll(() => page.context().pages()).toHaveLength(1);
    expect(await listeners()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

const setMode = (page: Page, mode: string) =>
  page.locator('financing-button').evaluate((element, value) => element.setAttribute('mode', value), mode);

/** Returns the events that a purchase does not dispatch. */
const unexpected = (events: Awaited<ReturnType<ShopPage['events']>>) =>
  events.filter(([type]) => !['start', 'complete'].includes(type));
