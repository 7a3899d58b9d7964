/** A service that is unreachable or slow, or that returns errors or invalid responses, over real connections. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { casesOf } from '../support/campaign.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listen } from '../support/http.ts';
import { waitForStates, startWidgetShop } from './shop.ts';

const MAX_REQUESTS = 6;
const TIMEOUT_MS = 10_000;

type Responder = (response: ServerResponse) => void;

const rejecting =
  (status: number): Responder =>
  (response) =>
    void response.writeHead(status).end('{"error":"no"}');
const sending =
  (body: string, type = 'application/json'): Responder =>
  (response) =>
    void response.writeHead(200, { 'content-type': type }).end(body);
const truncated: Responder = (response) => {
  response.writeHead(200, { 'content-length': '5000' }).write('{"defaultProgramId":"stand');
  setImmediate(() => response.destroy());
};

const withoutCors: Responder = (response) => {
  response.removeHeader('access-control-allow-origin');
  response.end('{}');
};

const failures: { failure: string; respond: Responder; code: 'service' | 'answer'; isRetried: boolean }[] = [
  { failure: 'closes every connection', respond: (response) => void response.destroy(), code: 'service', isRetried: true },
  { failure: 'never responds', respond: () => undefined, code: 'service', isRetried: true },
  { failure: 'responds 429', respond: rejecting(429), code: 'service', isRetried: true },
  { failure: 'responds 500', respond: rejecting(500), code: 'service', isRetried: true },
  { failure: 'responds 503', respond: rejecting(503), code: 'service', isRetried: true },
  { failure: 'responds 401', respond: rejecting(401), code: 'service', isRetried: false },
  { failure: 'responds 403', respond: rejecting(403), code: 'service', isRetried: false },
  { failure: 'responds 404', respond: rejecting(404), code: 'service', isRetried: false },
  {
    failure: 'responds with HTML',
    respond: sending('<!doctype html><h1>Log in</h1>', 'text/html'),
    code: 'answer',
    isRetried: true,
  },
  { failure: 'responds with an empty body', respond: sending(''), code: 'answer', isRetried: true },
  { failure: 'closes the connection in the middle of the body', respond: truncated, code: 'answer', isRetried: true },
  { failure: 'responds without CORS headers', respond: withoutCors, code: 'service', isRetried: true },
];

const shop = await startWidgetShop();
const programs = await fetch(`${shop.service.publicUrl}/storefront/programs?key=${shop.merchant.apiKey}`).then((response) =>
  response.text(),
);
const { url, stop } = await listen((_request, response) => {
  response.setHeader('access-control-allow-origin', '*');
  failing.requestCount++;
  failing.respond(response);
});
onCleanup(stop);
const failing = { url, respond: sending(programs), requestCount: 0 };

describe('When the service', () => {
  /** Opens a page with a button of the failing service and one of a working service. */
  const visit = async (respond: Responder, random = 0.5) => {
    Object.assign(failing, { respond, requestCount: 0 });
    const visitor = await shop.openPage();
    const { page } = visitor;
    // The test controls the clock, so that a slow machine triggers no retries.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    await page.addInitScript(recordEventsAndRequests, random);
    await page.goto(shop.createPage({ body: shop.button({ service: failing.url }) + shop.button() }));
    await waitForStates(page, 'failed', 'quoted', 'loading');
    return visitor;
  };

  const typical = ['closes every connection', 'never responds', 'responds 503', 'responds 404', 'responds with HTML'];
  it.each(casesOf(failures, ({ failure }) => typical.includes(failure)))(
    '$failure, the button keeps its height and its link, and the page receives one error event',
    async ({ failure, respond, code, isRetried }) => {
      const { page, problems } = await visit(respond);
      if (failure === 'never responds') await page.clock.runFor(TIMEOUT_MS);
      await waitForStates(page, 'failed', 'quoted');

      expect(await renderingOf(page)).toEqual({
        relativeHeight: 1,
        estimate: '',
        disclosure: '',
        href: `${shop.url}/cart`,
        visibility: 'visible',
      });
      expect(await codesOn(page)).toEqual([code]);
      await page.clock.runFor(2_000);
      if (isRetried) await expect.poll(() => failing.requestCount).toBe(2);
      else expect(failing.requestCount).toBe(1);
      expect(await codesOn(page)).toEqual([code]);
      expect(problems().filter((message) => !message.includes('CORS policy'))).toEqual([]);
    },
  );

  it.each([0, 0.99])('keeps failing, the button retries with exponential backoff and then stops (jitter %d)', async (random) => {
    const { page } = await visit(rejecting(503), random);
    for (let count = 1; count < MAX_REQUESTS; count++) {
      await expect.poll(() => responsesOn(page)).toBe(count);
      await page.clock.runFor(waitMs(count, random));
      await expect.poll(() => failing.requestCount).toBe(count + 1);
    }
    await expect.poll(() => responsesOn(page)).toBe(MAX_REQUESTS);
    await page.clock.runFor(600_000);
    expect(failing.requestCount).toBe(MAX_REQUESTS);

    const times: number[] = await page.evaluate(() => Reflect.get(globalThis, 'requestTimes'));
    for (const [index, at] of times.slice(1).entries()) {
      const waitedMs = at - times[index]!;
      // Slow responses extend the measured delays.
      expect(waitedMs).toBeGreaterThanOrEqual(waitMs(index + 1, random));
      expect(waitedMs).toBeLessThan(waitMs(index + 1, random) * 1.2 + 3_000);
    }
  });

  it.each(['before the next retry', 'after the last retry'])(
    'is available again %s, the button shows an estimate when the browser is back online',
    async (when) => {
      const { page, problems } = await visit(rejecting(500));
      await waitForStates(page, 'failed', 'quoted');
      if (when === 'after the last retry') {
        for (let count = 1; count < MAX_REQUESTS; count++) {
          await expect.poll(() => responsesOn(page)).toBe(count);
          await page.clock.runFor(waitMs(count, 0.5));
        }
        await expect.poll(() => responsesOn(page)).toBe(MAX_REQUESTS);
      }
      failing.respond = sending(programs);
      await page.context().setOffline(true);
      await page.context().setOffline(false);
      await waitForStates(page, 'quoted');

      expect(await page.locator('financing-button strong').count()).toBe(2);
      expect(await codesOn(page)).toEqual(['service']);
      expect(problems()).toEqual([]);
    },
  );

  it('fails, a button that is removed and inserted again sends no additional requests', async () => {
    const { page } = await visit(rejecting(401));
    await waitForStates(page, 'failed', 'quoted');
    await page.evaluate(async () => {
      const button = document.querySelector('financing-button')!;
      for (let cycle = 0; cycle < 100; cycle++) {
        button.remove();
        document.body.prepend(button);
        await button.updateComplete;
      }
    });
    expect(failing.requestCount).toBe(1);
    await page.clock.runFor(2_000);
    await expect.poll(() => failing.requestCount).toBe(2);
  });
});

/** Returns the delay before retry number `count`. `random` is the value of `Math.random` in the page. */
const waitMs = (count: number, random: number): number => 500 * 2 ** count * (0.5 + random);

/** Runs in the page before its scripts. Records error events and the times of requests on the clock of the test. */
function recordEventsAndRequests(random: number): void {
  const [codes, requestTimes, completed]: [string[], number[], { requests: number }] = [[], [], { requests: 0 }];
  Object.assign(globalThis, { codes, requestTimes, completed });
  addEventListener('financing-error', ({ detail }) => codes.push(detail.code));
  Math.random = () => random;
  AbortSignal.timeout = (delayMs) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('Too late', 'TimeoutError')), delayMs);
    return controller.signal;
  };
  const originalFetch = fetch;
  globalThis.fetch = async (...request) => {
    const isCounted = !new Request(...request).url.includes('localhost');
    if (isCounted) requestTimes.push(Date.now());
    try {
      return await originalFetch(...request);
    } finally {
      // After the callers have received the response.
      if (isCounted) queueMicrotask(() => queueMicrotask(() => void Promise.resolve().then(() => completed.requests++)));
    }
  };
}

const codesOn = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(globalThis, 'codes'));
const responsesOn = (page: Page): Promise<number> => page.evaluate(() => Reflect.get(globalThis, 'completed').requests);

/** Returns the rendering of the failing button, with its height relative to that of the other button. */
function renderingOf(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const [failed, quoted] = [...document.querySelectorAll('financing-button')];
    const link = failed!.shadowRoot!.querySelector('a')!;
    const textOf = (part: string) => failed!.shadowRoot!.querySelector(`[part=${part}]`)!.textContent.trim();
    return {
      relativeHeight: failed!.offsetHeight / quoted!.offsetHeight,
      estimate: textOf('estimate'),
      disclosure: textOf('disclosure'),
      href: link.href,
      visibility: getComputedStyle(link).visibility,
    };
  });
}
