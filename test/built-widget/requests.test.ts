/** What a page's buttons ask the service for, and what they show while amounts change faster than anybody reads. */
import { beforeAll, describe, expect, it } from 'vitest';
import { asLowAs } from '../../shared/as-low-as.ts';
import { languages } from '../../shared/disclosure/languages.ts';
import { formatMinorUnits } from '../../shared/money.ts';
import { sheet } from '../support/checkout.ts';
import { painted } from '../support/browser.ts';
import { allAre, givenHeld, givenWidgetShop, type WidgetShop } from './shop.ts';

const CHANGES = 100;
const CHANGES_PER_FRAME = 3;

/** The standard program says the same every day. */
const today = '2026-11-21';

let shop: WidgetShop;
beforeAll(async () => {
  shop = await givenWidgetShop();
});

const pageOf = (buttons: number): string =>
  shop.givenPage({ body: Array.from({ length: buttons }, (_, tile) => shop.button({ amount: 5_000 + 1_234 * tile })).join('') });

describe('The programs are requested', () => {
  it.each([1, 24, 100, 500])('once by a page of %i buttons', async (buttons) => {
    const { page } = await shop.openPage();
    const before = shop.requestCount();
    await page.goto(pageOf(buttons));
    await allAre(page, 'quoted');
    await page.waitForLoadState('networkidle');

    expect(await page.locator('financing-button').count()).toBe(buttons);
    expect(shop.requestCount() - before).toBe(1);
  });

  it('not again by the next page of the visit, and neither is the script', async () => {
    const { page } = await shop.openPage();
    await page.goto(pageOf(3));
    await allAre(page, 'quoted');
    await page.waitForLoadState('networkidle');
    const before = shop.service.logged.length;
    await page.goto(pageOf(24));
    await allAre(page, 'quoted');
    await page.waitForLoadState('networkidle');

    expect(shop.service.logged.slice(before)).toEqual([]);
  });

  it('with neither a cookie nor a preflight', async () => {
    const { page } = await shop.openPage();
    await page.context().addCookies([{ name: 'session', value: 'x', url: shop.service.publicUrl, sameSite: 'Lax' }]);
    const requests = page.waitForRequest('**/storefront/programs*');
    const methods: string[] = [];
    page.on('request', (request) => methods.push(request.method()));
    await page.goto(pageOf(1));
    await allAre(page, 'quoted');

    expect((await (await requests).allHeaders())['cookie']).toBe(undefined);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });
});

describe('An amount that changes several times between two frames', () => {
  it('is never shown with the price of another amount, and sends no request', async () => {
    const { page, problems } = await shop.openPage();
    await page.goto(pageOf(1));
    await allAre(page, 'quoted');
    await page.waitForLoadState('networkidle');
    const before = shop.service.logged.length;

    const seen = await page.evaluate(
      ([changes, changesPerFrame]) =>
        new Promise<[amount: number, estimate: string, disclosure: string][]>((resolve) => {
          const button = document.querySelector('financing-button')!;
          const part = (name: string) => button.shadowRoot!.querySelector(`[part=${name}]`)!.textContent.trim();
          const frames: [number, string, string][] = [];
          let done = 0;
          const changeUpTo = async (end: number) => {
            while (done < end) {
              button.amount = 20_000 + 7_919 * ++done;
              // Some changes come before the one before is shown, some after.
              if (done % 2) await button.updateComplete;
            }
          };
          const look = async () => {
            frames.push([Number(button.amount), part('estimate'), part('disclosure')]);
            if (done === changes) return resolve(frames);
            await changeUpTo(Math.min(done + changesPerFrame, changes));
            requestAnimationFrame(() => void look());
          };
          requestAnimationFrame(() => void look());
        }),
      [CHANGES, CHANGES_PER_FRAME] as const,
    );

    expect(seen).toHaveLength(1 + Math.ceil(CHANGES / CHANGES_PER_FRAME));
    expect(seen.at(-1)![0]).toBe(20_000 + 7_919 * CHANGES);
    for (const [amount, estimate, disclosure] of seen) {
      const expected = asLowAs(sheet, amount, today, languages.en);
      expect(estimate).toContain(formatMinorUnits(expected.monthly, sheet.currency, 'en-US'));
      expect(disclosure).toBe(expected.asLowAsText);
    }
    expect(shop.service.logged.slice(before)).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('is the last one when the programs have loaded', async () => {
    const { page } = await shop.openPage();
    const programs = await givenHeld(page, '**/storefront/programs*');
    await page.goto(pageOf(1));
    await allAre(page, 'loading');
    const quotes = await page.evaluate(async (changes) => {
      const button = document.querySelector('financing-button')!;
      const events: string[] = [];
      Object.assign(globalThis, { events });
      button.addEventListener('financing-quote', ({ detail }) => events.push(detail.amount));
      for (let change = 1; change <= changes; change++) {
        button.amount = 20_000 + change;
        await button.updateComplete;
      }
      return events;
    }, CHANGES);
    expect(quotes).toEqual([]);
    programs.release();
    await allAre(page, 'quoted');
    await painted(page);

    expect(await page.evaluate(() => Reflect.get(globalThis, 'events'))).toEqual([
      asLowAs(sheet, 20_000 + CHANGES, today, languages.en).amount,
    ]);
  });
});
