/** A service that is down, slow, or returns anything but programs, over a real connection. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../support/campaign.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listen } from '../support/http.ts';
import { allAre, givenWidgetShop, type WidgetShop } from './shop.ts';

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

const closed: Responder = (response) => {
  response.removeHeader('access-control-allow-origin');
  response.end('{}');
};

const failures: { what: string; respond: Responder; code: 'service' | 'answer'; isRetried: boolean }[] = [
  { what: 'breaks every connection', respond: (response) => void response.destroy(), code: 'service', isRetried: true },
  { what: 'never responds', respond: () => undefined, code: 'service', isRetried: true },
  { what: 'responds 429', respond: rejecting(429), code: 'service', isRetried: true },
  { what: 'responds 500', respond: rejecting(500), code: 'service', isRetried: true },
  { what: 'responds 503', respond: rejecting(503), code: 'service', isRetried: true },
  { what: 'responds 401', respond: rejecting(401), code: 'service', isRetried: false },
  { what: 'responds 403', respond: rejecting(403), code: 'service', isRetried: false },
  { what: 'responds 404', respond: rejecting(404), code: 'service', isRetried: false },
  {
    what: 'responds with a page',
    respond: sending('<!doctype html><h1>Log in</h1>', 'text/html'),
    code: 'answer',
    isRetried: true,
  },
  { what: 'responds with nothing', respond: sending(''), code: 'answer', isRetried: true },
  { what: 'responds with half of the programs', respond: truncated, code: 'answer', isRetried: true },
  {
    what: 'says nothing of other origins',
    respond: closed,
    code: 'service',
    isRetried: true,
  },
];

describe('When the service', () => {
  let shop: WidgetShop;
  let programs: string;
  let failing: { url: string; respond: Responder; requestCount: number };
  beforeAll(async () => {
    shop = await givenWidgetShop();
    programs = await fetch(`${shop.service.publicUrl}/storefront/programs?key=${shop.merchant.apiKey}`).then((response) =>
      response.text(),
    );
    const { url, stop } = await listen((_request, response) => {
      response.setHeader('access-control-allow-origin', '*');
      failing.requestCount++;
      failing.respond(response);
    });
    onCleanup(stop);
    failing = { url, respond: sending(programs), requestCount: 0 };
  });

  /** Opens a page with a button of the failing service and, for comparison, one of a working service. */
  const visit = async (respond: Responder, random = 0.5) => {
    Object.assign(failing, { respond, requestCount: 0 });
    const visitor = await shop.openPage();
    const { page } = visitor;
    // The test controls the clock. On a slow machine, real time could trigger a retry in the meantime.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    await page.addInitScript(listenAndTime, random);
    await page.goto(shop.givenPage({ body: shop.button({ service: failing.url }) + shop.button() }));
    await allAre(page, 'failed', 'quoted', 'loading');
    return visitor;
  };

  const typical = ['breaks every connection', 'never answers', 'answers 503', 'answers 404', 'answers with a page'];
  it.each(casesOf(failures, ({ what }) => typical.includes(what)))(
    '$what, the button keeps its space and its link, and the page receives one error event',
    async ({ what, respond, code, isRetried }) => {
      const { page, problems } = await visit(respond);
      if (what === 'never answers') await page.clock.runFor(TIMEOUT_MS);
      await allAre(page, 'failed', 'quoted');

      expect(await lookOf(page)).toEqual({
        heights: 1,
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

  it.each([0, 0.99])('keeps failing, the button retries with growing, jittered delays and then stops: %d', async (random) => {
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
      // What a loaded machine takes to answer comes on top.
      expect(waitedMs).toBeGreaterThanOrEqual(waitMs(index + 1, random));
      expect(waitedMs).toBeLessThan(waitMs(index + 1, random) * 1.2 + 3_000);
    }
  });

  it.each(['while it waits', 'after the last time'])(
    'is available again, the button shows an estimate when the connection returns: %s',
    async (when) => {
      const { page, problems } = await visit(rejecting(500));
      await allAre(page, 'failed', 'quoted');
      if (when === 'after the last time') {
        for (let count = 1; count < MAX_REQUESTS; count++) {
          await expect.poll(() => responsesOn(page)).toBe(count);
          await page.clock.runFor(waitMs(count, 0.5));
        }
        await expect.poll(() => responsesOn(page)).toBe(MAX_REQUESTS);
      }
      failing.respond = sending(programs);
      await page.context().setOffline(true);
      await page.context().setOffline(false);
      await allAre(page, 'quoted');

      expect(await page.locator('financing-button strong').count()).toBe(2);
      expect(await codesOn(page)).toEqual(['service']);
      expect(problems()).toEqual([]);
    },
  );

  it('fails, buttons that are added and removed send no more requests than one that stays', async () => {
    const { page } = await visit(rejecting(401));
    await allAre(page, 'failed', 'quoted');
    await page.evaluate(async () => {
      const button = document.querySelector('financing-button')!;
      for (let times = 0; times < 100; times++) {
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

/** @param random - The value that `Math.random` returns in the page. */
const waitMs = (count: number, random: number): number => 500 * 2 ** count * (0.5 + random);

/** Runs in the page before its scripts. Records error events and request times, on the clock that the test controls. */
function listenAndTime(random: number): void {
  const [codes, requestTimes, settled]: [string[], number[], { responses: number }] = [[], [], { responses: 0 }];
  Object.assign(globalThis, { codes, requestTimes, settled });
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
      if (isCounted) queueMicrotask(() => queueMicrotask(() => void Promise.resolve().then(() => settled.responses++)));
    }
  };
}

const codesOn = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(globalThis, 'codes'));
const responsesOn = (page: Page): Promise<number> => page.evaluate(() => Reflect.get(globalThis, 'settled').responses);

/** Returns the rendering of the failing button, with its height relative to that of the other button. */
function lookOf(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const [failed, quoted] = [...document.querySelectorAll('financing-button')];
    const link = failed!.shadowRoot!.querySelector('a')!;
    const textOf = (part: string) => failed!.shadowRoot!.querySelector(`[part=${part}]`)!.textContent.trim();
    return {
      heights: failed!.offsetHeight / quoted!.offsetHeight,
      estimate: textOf('estimate'),
      disclosure: textOf('disclosure'),
      href: link.href,
      visibility: getComputedStyle(link).visibility,
    };
  });
}
