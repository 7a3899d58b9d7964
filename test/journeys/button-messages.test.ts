/**
 * Messages that a shop's page accepts from its checkout: only those from the popup or frame that the button opened, while it
 * shows a page of the service.
 */
import type { Frame, Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { stepOf } from '../support/browser.ts';
import { createButtonShop, openAs, type ShopPage } from '../support/shop.ts';
import { until } from '../support/time.ts';

vi.setConfig({ testTimeout: 60_000 });

const { renderButton, createCartUrl, shopUrl } = createButtonShop();

const transactionId = '018f3a52-7c1e-7d2a-9b1a-0242ac120002';
const completed = { source: 'fairterm', type: 'completed', transactionId, orderRef: 'ORDER 7' };
const notCompleted = { source: 'fairterm', type: 'not-completed', orderRef: 'ORDER 7' };

/** The shop's URL with another host name, which browsers treat as another site. */
const foreignUrl = (): string => shopUrl().replace('127.0.0.1', 'localhost');

/** Posts the messages from a page or frame to its parent, its opener or itself. */
const send = (from: Page | Frame, to: 'parent' | 'opener' | 'self', messages: unknown[]): Promise<void> =>
  from.evaluate(
    ([name, all]) => all.forEach((each) => (globalThis as unknown as Record<string, Window>)[name]!.postMessage(each, '*')),
    [to, messages] as const,
  );

/** Waits until all messages sent before have been delivered. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let turns = 0; turns < 3; turns++) {
      await new Promise((events) => {
        addEventListener('message', events, { once: true });
        postMessage('settled', '*');
      });
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  });

describe.each(['modal', 'popup'] as const)('A page with an open checkout, mode %s', (mode) => {
  it('ignores messages from other sources and accepts the message of its checkout', async () => {
    const hostile = `<iframe id="foreign" src="${foreignUrl()}/foreign"></iframe>`;
    const sandboxed = `<iframe id="sandboxed" sandbox="allow-scripts" src="/sandboxed"></iframe>`;
    // Another checkout page, which the button did not open.
    const link = await createCartUrl();
    const shopPage = await openCheckout(
      mode,
      `$<iframe id="own" src="/own"></iframe>${sandboxed}${hostile}<iframe id="other" src="${link}"></iframe>`,
    );
    const { page, checkout, events } = shopPage;
    const frame = async (id: string): Promise<Frame> => (await (await page.$(`#${id}`))!.contentFrame())!;
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(() => void window.open('/popup', '_blank', 'popup')),
    ]);
    await popup.waitForLoadState();

    const senders: (readonly [Page | Frame, 'parent' | 'opener' | 'self'])[] = [
      [await frame('own'), 'parent'],
      [await frame('sandboxed'), 'parent'],
      [await frame('foreign'), 'parent'],
      [await frame('other'), 'parent'],
      [popup, 'opener'],
      [page, 'self'],
    ];
    // What the page would accept from its checkout.
    const messages = [completed, notCompleted];
    for (const [from, to] of senders) await send(from, to, messages);
    await page.evaluate(
      ([all, origin]) => {
        // A script of the page can construct events with the right origin and source.
        const source = document.querySelector('financing-button')!.shadowRoot!.querySelector('iframe')?.contentWindow ?? null;
        for (const data of all) dispatchEvent(new MessageEvent('message', { data, origin, source }));
      },
      [messages, new URL(link).origin] as const,
    );
    await settle(page);
    expect(await events()).toEqual([['start', null]]);

    await send(checkout, mode === 'popup' ? 'opener' : 'parent', [completed]);
    await expect.poll(events).toEqual([
      ['start', null],
      ['complete', { transactionId, orderRef: 'ORDER 7' }],
    ]);
  });

  it('accepts only valid messages from its checkout, and reports a purchase once', async () => {
    const { page, checkout, events } = await openCheckout(mode);
    const malformed = [
      { ...completed, transactionId: undefined },
      { ...completed, transactionId: [transactionId] },
      { ...completed, transactionId: `${transactionId}\n` },
      { ...completed, transactionId: '<b>' },
      { ...completed, orderRef: 7 },
      { ...completed, orderRef: undefined },
      { ...completed, orderRef: 'x'.repeat(2_000) },
      { ...completed, source: 'another' },
      { ...completed, type: 'toString' },
      { ...notCompleted, transactionId },
      [completed],
      JSON.stringify(completed),
      null,
      undefined,
      7,
    ];
    const to = mode === 'popup' ? 'opener' : 'parent';
    await send(checkout, to, malformed);
    await settle(page);
    expect(await events()).toEqual([['start', null]]);

    // A newer service may send additional fields.
    await send(checkout, to, [{ ...completed, more: true }, completed, completed]);
    await expect.poll(events).toHaveLength(2);
    await settle(page);
    expect(await events()).toEqual([
      ['start', null],
      ['complete', { transactionId, orderRef: 'ORDER 7' }],
    ]);
  });

  it('ignores messages from another page that replaces the checkout in its popup or frame', async () => {
    const { page, checkout, events } = await openCheckout(mode);
    const otherPage = `${shopUrl()}/other`;
    const to = mode === 'popup' ? 'opener' : 'parent';
    await checkout.evaluate((url) => void setTimeout(() => location.assign(url)), otherPage);
    await checkout.waitForURL(otherPage);
    await send(checkout, to, [completed]);
    await settle(page);
    expect(await events()).toEqual([['start', null]]);
  });
});

/** Opens the shop's page and the checkout of its button. */
async function openCheckout(mode: 'modal' | 'popup', around = '$'): Promise<ShopPage & { checkout: Page | Frame }> {
  const attributes = { mode, 'cart-url': await createCartUrl() };
  const shopPage = await renderButton({ attributes, framed: `${shopUrl()} ${foreignUrl()}`, around });
  if (mode === 'popup') return { ...shopPage, checkout: await openAs.popup(shopPage) };
  const { page, press } = shopPage;
  await press();
  // The page has other frames.
  const frame = await until(async () => (await page.locator('financing-button iframe').elementHandle())?.contentFrame());
  await until(() => stepOf(frame) === 'details');
  return { ...shopPage, checkout: frame };
}
