/** A service that is down, slow, or returns anything but programs, over a real connection. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../support/campaign.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listen } from '../support/http.ts';
import { allAre, givenWidgetShop, type WidgetShop } from './shop.ts';

const MOST_ASKS = 6;
const TIMEOUT_MS = 10_000;

type Answering = (response: ServerResponse) => void;

const refusing =
  (status: number): Answering =>
  (response) =>
    void response.writeHead(status).end('{"error":"no"}');
const saying =
  (body: string, type = 'application/json'): Answering =>
  (response) =>
    void response.writeHead(200, { 'content-type': type }).end(body);
const truncated: Answering = (response) => {
  response.writeHead(200, { 'content-length': '5000' }).write('{"defaultProgramId":"stand');
  setImmediate(() => response.destroy());
};

const closed: Answering = (response) => {
  response.removeHeader('access-control-allow-origin');
  response.end('{}');
};

const failures: { what: string; answer: Answering; code: 'service' | 'answer'; isAskedAgain: boolean }[] = [
  { what: 'breaks every connection', answer: (response) => void response.destroy(), code: 'service', isAskedAgain: true },
  { what: 'never answers', answer: () => undefined, code: 'service', isAskedAgain: true },
  { what: 'answers 429', answer: refusing(429), code: 'service', isAskedAgain: true },
  { what: 'answers 500', answer: refusing(500), code: 'service', isAskedAgain: true },
  { what: 'answers 503', answer: refusing(503), code: 'service', isAskedAgain: true },
  { what: 'answers 401', answer: refusing(401), code: 'service', isAskedAgain: false },
  { what: 'answers 403', answer: refusing(403), code: 'service', isAskedAgain: false },
  { what: 'answers 404', answer: refusing(404), code: 'service', isAskedAgain: false },
  {
    what: 'answers with a page',
    answer: saying('<!doctype html><h1>Log in</h1>', 'text/html'),
    code: 'answer',
    isAskedAgain: true,
  },
  { what: 'answers with nothing', answer: saying(''), code: 'answer', isAskedAgain: true },
  { what: 'answers with half of the programs', answer: truncated, code: 'answer', isAskedAgain: true },
  {
    what: 'says nothing of other origins',
    answer: closed,
    code: 'service',
    isAskedAgain: true,
  },
];

describe('When the service', () => {
  let shop: WidgetShop;
  let programs: string;
  let failing: { url: string; answer: Answering; asked: number };
  beforeAll(async () => {
    shop = await givenWidgetShop();
    programs = await fetch(`${shop.service.publicUrl}/storefront/programs?key=${shop.merchant.apiKey}`).then((answer) =>
      answer.text(),
    );
    const { url, stop } = await listen((_request, response) => {
      response.setHeader('access-control-allow-origin', '*');
      failing.asked++;
      failing.answer(response);
    });
    onCleanup(stop);
    failing = { url, answer: saying(programs), asked: 0 };
  });

  /** Opens a page with a button of the failing service and, for comparison, one of a working service. */
  const visit = async (answer: Answering, random = 0.5) => {
    Object.assign(failing, { answer, asked: 0 });
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
    async ({ what, answer, code, isAskedAgain }) => {
      const { page, complaints } = await visit(answer);
      if (what === 'never answers') await page.clock.runFor(TIMEOUT_MS);
      await allAre(page, 'failed', 'quoted');

      expect(await lookOf(page)).toEqual({
        heights: 1,
        estimate: '',
        disclosure: '',
        href: `${shop.url}/cart`,
        visibility: 'visible',
      });
      expect(await heardOn(page)).toEqual([code]);
      await page.clock.runFor(2_000);
      if (isAskedAgain) await expect.poll(() => failing.asked).toBe(2);
      else expect(failing.asked).toBe(1);
      expect(await heardOn(page)).toEqual([code]);
      expect(complaints().filter((said) => !said.includes('CORS policy'))).toEqual([]);
    },
  );

  it.each([0, 0.99])('keeps failing, the button retries with growing, jittered delays and then stops: %d', async (random) => {
    const { page } = await visit(refusing(503), random);
    for (let asks = 1; asks < MOST_ASKS; asks++) {
      await expect.poll(() => answersOn(page)).toBe(asks);
      await page.clock.runFor(waitMs(asks, random));
      await expect.poll(() => failing.asked).toBe(asks + 1);
    }
    await expect.poll(() => answersOn(page)).toBe(MOST_ASKS);
    await page.clock.runFor(600_000);
    expect(failing.asked).toBe(MOST_ASKS);

    const times: number[] = await page.evaluate(() => Reflect.get(globalThis, 'askedAt'));
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
      const { page, complaints } = await visit(refusing(500));
      await allAre(page, 'failed', 'quoted');
      if (when === 'after the last time') {
        for (let asks = 1; asks < MOST_ASKS; asks++) {
          await expect.poll(() => answersOn(page)).toBe(asks);
          await page.clock.runFor(waitMs(asks, 0.5));
        }
        await expect.poll(() => answersOn(page)).toBe(MOST_ASKS);
      }
      failing.answer = saying(programs);
      await page.context().setOffline(true);
      await page.context().setOffline(false);
      await allAre(page, 'quoted');

      expect(await page.locator('financing-button strong').count()).toBe(2);
      expect(await heardOn(page)).toEqual(['service']);
      expect(complaints()).toEqual([]);
    },
  );

  it('fails, buttons that are added and removed send no more requests than one that stays', async () => {
    const { page } = await visit(refusing(401));
    await allAre(page, 'failed', 'quoted');
    await page.evaluate(async () => {
      const button = document.querySelector('financing-button')!;
      for (let times = 0; times < 100; times++) {
        button.remove();
        document.body.prepend(button);
        await button.updateComplete;
      }
    });
    expect(failing.asked).toBe(1);
    await page.clock.runFor(2_000);
    await expect.poll(() => failing.asked).toBe(2);
  });
});

/** @param random - The value that `Math.random` returns in the page. */
const waitMs = (asks: number, random: number): number => 500 * 2 ** asks * (0.5 + random);

/** Runs in the page before its scripts. Records error events and request times, on the clock that the test controls. */
function listenAndTime(random: number): void {
  const [heard, askedAt, settled]: [string[], number[], { answers: number }] = [[], [], { answers: 0 }];
  Object.assign(globalThis, { heard, askedAt, settled });
  addEventListener('financing-error', ({ detail }) => heard.push(detail.code));
  Math.random = () => random;
  AbortSignal.timeout = (delayMs) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('Too late', 'TimeoutError')), delayMs);
    return controller.signal;
  };
  const ask = fetch;
  globalThis.fetch = async (...request) => {
    const isCounted = !new Request(...request).url.includes('localhost');
    if (isCounted) askedAt.push(Date.now());
    try {
      return await ask(...request);
    } finally {
      // Once those who wait for the answer have seen it.
      if (isCounted) queueMicrotask(() => queueMicrotask(() => void Promise.resolve().then(() => settled.answers++)));
    }
  };
}

const heardOn = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(globalThis, 'heard'));
const answersOn = (page: Page): Promise<number> => page.evaluate(() => Reflect.get(globalThis, 'settled').answers);

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
