/**
 * A checkout in a frame and in a popup of a shop's page, in a real browser that blocks third-party cookies and storage. The shop is
 * another site: its host is an IP address, and the service's host is a name.
 */
import type { Frame, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { plusMs } from '../../server/base/time.ts';
import { codeBlock } from '../support/docs.ts';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { buy, fillAndSend, openPage, shownBy, startBrowser } from '../support/browser.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createCart, reachAgreement, reachDecision, submit } from '../support/checkout.ts';
import { listen } from '../support/http.ts';
import { startService, type TestService } from '../support/service.ts';

/** The script of the guide with which a shop's page handles the messages of the checkout. */
const listener = codeBlock('server/docs/merchant-api.md', 'messages');

const service = await startService();
const shopUrl = await startShopPages(service);
const localUrl = await startShopPages(service);
// Browsers resolve subdomains of localhost to this machine.
const unregisteredUrl = localUrl.replace('127.0.0.1', 'shop.localhost');
const merchant = await service.createMerchant({ origins: [shopUrl] });
const browser = await startBrowser('--test-third-party-cookie-phaseout');

describe('A checkout', () => {
  const createCheckout = (options: Partial<CartOptions> = {}) =>
    createCart(merchant, { orderRef: 'ORDER 7', completeUrl: `${shopUrl}/thank-you`, errorUrl: `${shopUrl}/bag`, ...options });
  const transactionsOf = async (cartId: string) =>
    service.database.query.selectFrom('transactions').select('id').where('cartId', '=', cartId).execute();
  const openFrame = async (page: Page, cartUrl: string, shop = shopUrl): Promise<Frame> => {
    await page.goto(`${shop}/frame?url=${encodeURIComponent(cartUrl)}`);
    return page.frames()[1]!;
  };
  const openPopup = async (page: Page, cartUrl: string): Promise<Page> => {
    await page.goto(`${shopUrl}/popup?url=${encodeURIComponent(cartUrl)}`);
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button').click()]);
    await popup.locator('main[data-step="details"]').waitFor();
    return popup;
  };
  /** Returns all messages that the shop's page received, with their origins. */
  const messagesOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { messages: unknown[] }).messages);

  /** Returns the message that the checkout posts to the page. */
  const posted = (data: object) => ({ origin: service.publicUrl, data: { source: 'fairterm', orderRef: 'ORDER 7', ...data } });
  const silent = posted({ type: 'not-completed' });
  const failed = posted({ type: 'not-completed', errorUrl: `${shopUrl}/bag` });

  it('in a frame completes the purchase, and the listener of the guide navigates the page to completeUrl', async () => {
    const { page, problems } = await openPage(browser);
    const cart = await createCheckout();
    await buy(await openFrame(page, cart.url));
    await page.waitForURL(`${shopUrl}/thank-you?**`);
    const [{ id }] = (await transactionsOf(cart.id)) as [{ id: string }];
    expect(new URL(page.url()).searchParams.get('transactionId')).toBe(id);
    expect(problems).toEqual([]);
  });

  it('in a frame without JavaScript completes the purchase and links the page to completeUrl', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    const cart = await createCheckout();
    const frame = await openFrame(page, cart.url);
    await buy(frame);
    expect(await shownBy(frame)).toBe('completed');
    await frame.getByRole('link', { name: 'Return to' }).click();
    await page.waitForURL(`${shopUrl}/thank-you?transactionId=*`);
    expect(await transactionsOf(cart.id)).toHaveLength(1);
  });

  it('in a frame of an unregistered page is blocked by the browser', async () => {
    const { page, problems } = await openPage(browser);
    const frame = await openFrame(page, (await createCheckout()).url, unregisteredUrl);
    // The browser shows its error page instead.
    await expect.poll(() => frame.url()).toMatch(/^chrome-error:/);
    expect(await frame.locator('form').count()).toBe(0);
    expect(problems.join(' ')).toContain('frame-ancestors');
    expect(await messagesOf(page)).toEqual([]);
  });

  const cancel = async (checkout: Page | Frame): Promise<void> => {
    await checkout.getByRole('link', { name: 'Cancel' }).click();
    // The popup may close before Playwright releases the mouse button.
    await checkout
      .getByRole('button', { name: 'Cancel my application' })
      .click()
      .catch(() => undefined);
  };

  it('in a frame navigates the page to errorUrl after a canceled application', async () => {
    const { page, problems } = await openPage(browser);
    const frame = await openFrame(page, (await createCheckout()).url);
    await fillAndSend(frame);
    await cancel(frame);
    await page.waitForURL(`${shopUrl}/bag`);
    expect(page.frames(), 'the shop is not shown within itself').toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('in a popup closes after a canceled application, and the page navigates to errorUrl', async () => {
    const { page } = await openPage(browser);
    const popup = await openPopup(page, (await createCheckout()).url);
    await fillAndSend(popup);
    const closed = popup.waitForEvent('close');
    await Promise.all([closed, cancel(popup)]);
    await page.waitForURL(`${shopUrl}/bag`);
  });

  it('in a popup posts the transaction id to the page and closes', async () => {
    const { page, problems } = await openPage(browser);
    const cart = await createCheckout();
    const popup = await openPopup(page, cart.url);
    await page.route('**/thank-you?**', (route) => route.fulfill({ status: 204 }));
    const closed = popup.waitForEvent('close');
    await Promise.all([closed, buy(popup)]);

    const [{ id: transactionId }] = (await transactionsOf(cart.id)) as [{ id: string }];
    await expect.poll(() => messagesOf(page)).toEqual([posted({ type: 'completed', transactionId })]);
    expect(problems).toEqual([]);
  });

  it('in a popup stays open after a denial, until its link closes it and navigates the page to errorUrl', async () => {
    const { page } = await openPage(browser);
    const popup = await openPopup(page, (await createCheckout()).url);
    await buy(popup, { taxIdLast4: '2001' });
    await expect.poll(() => messagesOf(page)).toEqual([silent]);
    expect(popup.isClosed()).toBe(false);
    const closed = popup.waitForEvent('close');
    // The popup may close before Playwright releases the mouse button.
    await popup
      .getByRole('link', { name: 'pay another way' })
      .click()
      .catch(() => undefined);
    await closed;
    await page.waitForURL(`${shopUrl}/bag`);
  });

  it('in a popup without an opener links to completeUrl after the purchase', async () => {
    const { page, problems } = await openPage(browser);
    const cart = await createCheckout();
    await page.goto(`${cart.url}?display=popup`);
    await buy(page);
    expect(await shownBy(page)).toBe('completed');
    await page.getByRole('link', { name: 'Return to' }).click();
    await page.waitForURL(`${shopUrl}/thank-you?**`);
    expect(problems).toEqual([]);
  });
  it.each([
    ['with scripts, without a click', true],
    ['without scripts, by its form', false],
  ])('redirects to completeUrl from the waiting page %s', async (_title, javaScriptEnabled) => {
    const { page, problems } = await openPage(browser, { javaScriptEnabled });
    // The browser starts at the page in which the service waits for the lender.
    const { url } = await createCheckout({ completeUrl: `${localUrl}/thank-you` });
    await page.goto((await submit(await reachAgreement(url, { taxIdLast4: '6001' }))).url);
    expect(await shownBy(page)).toBe('waiting-signed');
    // The service pauses before it asks the lender again.
    service.clock.moveTo(plusMs(service.clock.now(), 30_000));
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Check again' }).click();
    await page.waitForURL(`${localUrl}/thank-you?transactionId=*`);
    expect(problems).toEqual([]);
  });

  /** Leads to the page of a buyer for whom the lender makes no loan. */
  const fail = async (checkout: Page | Frame) => {
    await fillAndSend(checkout);
    await fillAndSend(checkout, { taxIdLast4: '3001' });
    await announced(checkout).waitFor({ state: 'attached' });
  };
  const announced = (page: Page | Frame) => page.getByText('In 30 seconds, you return to');
  /** Returns the pixels between the links of the announcement and the reason. */
  const spaceBelowLinks = async (page: Page) => {
    const links = page.locator('.actions').filter({ hasText: 'Go now' });
    const [above, below] = [await links.boundingBox(), await links.locator('xpath=following-sibling::*[1]').boundingBox()];
    return below!.y - (above!.y + above!.height);
  };
  const HALF_A_MINUTE_MS = 30_000;

  describe('of an order that the lender makes no loan for', () => {
    it('as a top-level page shows the reason and then opens errorUrl, without JavaScript', async () => {
      const { page } = await openPage(browser, { javaScriptEnabled: false });
      const { url } = await createCheckout();
      const { url: reached } = await reachDecision(url, { taxIdLast4: '3001' });
      const seconds: string[] = [];
      // The browser follows the header of the service after a second.
      await page.route('**/c/**', async (route) => {
        const response = await route.fetch({ maxRedirects: 0 });
        const { refresh = '', ...headers } = response.headers();
        seconds.push(refresh.split(';')[0]!);
        await route.fulfill({ response, headers: { ...headers, ...(refresh && { refresh: refresh.replace('30;', '1;') }) } });
      });
      await page.goto(reached, { waitUntil: 'commit' });
      await page.waitForURL(`${shopUrl}/bag`);
      expect(seconds).toEqual(['30']);
    });

    it('as a top-level page opens errorUrl at once or stays, as the buyer chooses, with JavaScript', async () => {
      const { page } = await openPage(browser);
      await page.goto((await createCheckout()).url);
      await fail(page);
      expect(await shownBy(page)).toBe('unavailable');
      expect(await announced(page).isVisible()).toBe(true);
      expect(await spaceBelowLinks(page)).toBeGreaterThanOrEqual(16);
      const [stayed] = await Promise.all([
        page.waitForResponse((response) => response.url().includes('stay=1')),
        page.getByRole('link', { name: 'Stay on this page' }).click(),
      ]);
      expect(stayed.headers()['refresh']).toBe(undefined);
      await expect.poll(() => announced(page).count()).toBe(0);
      expect(await shownBy(page)).toBe('unavailable');
      await page.goBack();
      await page.getByRole('link', { name: 'Go now' }).click();
      await page.waitForURL(`${shopUrl}/bag`);
    });

    it('in a frame posts errorUrl to the page after half a minute, which navigates', async () => {
      const { page } = await openPage(browser);
      await page.clock.install();
      const frame = await openFrame(page, (await createCheckout()).url);
      await fail(frame);
      expect(await shownBy(frame)).toBe('unavailable');
      await expect.poll(() => messagesOf(page)).toEqual([silent]);
      await page.clock.runFor(HALF_A_MINUTE_MS - 2_000);
      expect(await messagesOf(page)).toEqual([silent]);
      await page.clock.runFor(2_000);
      await page.waitForURL(`${shopUrl}/bag`);
      expect(page.frames(), 'the shop is not shown within itself').toHaveLength(1);
    });

    it('in a frame posts errorUrl at the click, and lets the page decide to stay', async () => {
      const { page } = await openPage(browser);
      const cart = await createCheckout();
      await page.goto(`${shopUrl}/frame?url=${encodeURIComponent(cart.url)}&removes`);
      const frame = page.frames()[1]!;
      await fail(frame);
      await frame.getByRole('link', { name: 'Go now' }).click();
      await expect.poll(() => messagesOf(page)).toEqual([silent, failed]);
      expect(page.frames()).toHaveLength(1);
      expect(page.url()).toContain('/frame?');
    });

    it('in a frame follows the click if the page does not react to the message', async () => {
      const { page } = await openPage(browser);
      const cart = await createCheckout();
      await page.goto(`${shopUrl}/frame?url=${encodeURIComponent(cart.url)}&ignores`);
      const frame = page.frames()[1]!;
      await fail(frame);
      await frame.getByRole('link', { name: 'Go now' }).click();
      await page.waitForURL(`${shopUrl}/bag`);
    });

    it('in a frame without JavaScript links the whole page to errorUrl, and announces nothing that will not happen', async () => {
      const { page } = await openPage(browser, { javaScriptEnabled: false });
      const frame = await openFrame(page, (await createCheckout()).url);
      await fail(frame);
      expect(await shownBy(frame)).toBe('unavailable');
      expect(await announced(frame).isVisible()).toBe(false);
      await frame.getByRole('link', { name: 'Go now' }).click();
      await page.waitForURL(`${shopUrl}/bag`);
    });

    it('in a popup posts errorUrl after half a minute, and closes', async () => {
      const { page } = await openPage(browser);
      await page.context().clock.install();
      const popup = await openPopup(page, (await createCheckout()).url);
      await fail(popup);
      await expect.poll(() => messagesOf(page)).toEqual([silent]);
      expect(popup.isClosed()).toBe(false);
      const closed = popup.waitForEvent('close');
      await Promise.all([closed, popup.clock.runFor(HALF_A_MINUTE_MS).catch(() => undefined)]);
      await page.waitForURL(`${shopUrl}/bag`);
    });

    it('in a popup stays for good if the buyer chooses so', async () => {
      const { page } = await openPage(browser);
      await page.context().clock.install();
      const popup = await openPopup(page, (await createCheckout()).url);
      await fail(popup);
      await Promise.all([popup.waitForURL('**stay=1**'), popup.getByRole('link', { name: 'Stay on this page' }).click()]);
      expect(await shownBy(popup)).toBe('unavailable');
      await popup.clock.runFor(10 * HALF_A_MINUTE_MS);
      expect(popup.isClosed()).toBe(false);
      expect((await messagesOf(page)).filter((message) => JSON.stringify(message).includes('errorUrl'))).toEqual([]);
    });
  });
});

/** Starts a shop on another site, whose pages open a checkout and record its messages. */
async function startShopPages({ publicUrl }: TestService): Promise<string> {
  const { url, stop } = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://shop');
    const link = searchParams.get('url') ?? '';
    const record = "var messages = []; addEventListener('message', ({ origin, data }) => messages.push({ origin, data }));";
    const script = `<script>${record}${listener.replace('http://localhost:4000', publicUrl)}</script>`;
    // A page that keeps the buyer removes the frame; another one does not listen.
    const removes = `<script>${record}addEventListener('message', ({ data }) => data.errorUrl && document.querySelector('iframe').remove());</script>`;
    const frameScript = searchParams.has('ignores') ? '' : searchParams.has('removes') ? removes : script;
    const bodies: Record<string, string> = {
      '/frame': `${frameScript}<iframe src="${link}" title="Financing" width="800" height="900"></iframe>`,
      '/popup': `${script}<button onclick="open('${link}?display=popup', '_blank', 'popup')">Pay over time</button>`,
    };
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Shop</title>${bodies[pathname] ?? '<h1>Shop</h1>'}`,
    );
  });
  onCleanup(stop);
  return url;
}
