/** Requests of a page with buttons, and their estimates while amounts change in rapid succession. */
import { describe, expect, it } from 'vitest';
import { asLowAs } from '../../shared/as-low-as.ts';
import { disclosureTexts } from '../../shared/languages/index.ts';
import { formatMinorUnits } from '../../shared/money.ts';
import { sheet } from '../support/checkout.ts';
import { painted } from '../support/browser.ts';
import { waitForStates, holdRequests, startWidgetShop } from './shop.ts';

const CHANGES = 100;
const CHANGES_PER_FRAME = 3;

/** Any date: the quotes of the standard program do not depend on it. */
const TODAY = '2026-11-21';

const shop = await startWidgetShop();

const pageOf = (buttons: number): string =>
  shop.createPage({ body: Array.from({ length: buttons }, (_, tile) => shop.button({ amount: 5_000 + 1_234 * tile })).join('') });

describe('The widget', () => {
  it('sends no request on the next page, because the script and the programs are cached', async () => {
    const { page } = await shop.openPage();
    await page.goto(pageOf(3));
    await waitForStates(page, 'quoted');
    await page.waitForLoadState('networkidle');
    const before = shop.service.logged.length;
    await page.goto(pageOf(24));
    await waitForStates(page, 'quoted');
    await page.waitForLoadState('networkidle');

    expect(shop.service.logged.slice(before)).toEqual([]);
  });

  it('requests the programs without cookies and without a preflight', async () => {
    const { page } = await shop.openPage();
    await page.context().addCookies([{ name: 'session', value: 'x', url: shop.service.publicUrl, sameSite: 'Lax' }]);
    const requests = page.waitForRequest('**/storefront/programs*');
    const methods: string[] = [];
    page.on('request', (request) => methods.push(request.method()));
    await page.goto(pageOf(1));
    await waitForStates(page, 'quoted');

    expect((await (await requests).allHeaders())['cookie']).toBe(undefined);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });
});

describe('When the amount changes several times per frame, the button', () => {
  it('always shows the estimate of the current amount, and sends no request', async () => {
    const { page, problems } = await shop.openPage();
    await page.goto(pageOf(1));
    await waitForStates(page, 'quoted');
    await page.waitForLoadState('networkidle');
    const before = shop.service.logged.length;

    const frames = await page.evaluate(
      ([changes, changesPerFrame]) =>
        new Promise<[amount: number, estimate: string, disclosure: string][]>((resolve) => {
          const button = document.querySelector('financing-button')!;
          const part = (name: string) => button.shadowRoot!.querySelector(`[part=${name}]`)!.textContent.trim();
          const recorded: [number, string, string][] = [];
          let done = 0;
          const changeUpTo = async (end: number) => {
            while (done < end) {
              button.amount = 20_000 + 7_919 * ++done;
              // Every other change waits until it is rendered.
              if (done % 2) await button.updateComplete;
            }
          };
          const recordFrame = async () => {
            recorded.push([Number(button.amount), part('estimate'), part('disclosure')]);
            if (done === changes) return resolve(recorded);
            await changeUpTo(Math.min(done + changesPerFrame, changes));
            requestAnimationFrame(() => void recordFrame());
          };
          requestAnimationFrame(() => void recordFrame());
        }),
      [CHANGES, CHANGES_PER_FRAME] as const,
    );

    expect(frames).toHaveLength(1 + Math.ceil(CHANGES / CHANGES_PER_FRAME));
    expect(frames.at(-1)![0]).toBe(20_000 + 7_919 * CHANGES);
    for (const [amount, estimate, disclosure] of frames) {
      const expected = asLowAs(sheet, amount, TODAY, disclosureTexts.en);
      expect(estimate).toContain(formatMinorUnits(expected.monthly, sheet.currency, 'en-US'));
      expect(disclosure).toBe(expected.asLowAsText);
    }
    expect(shop.service.logged.slice(before)).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('quotes only the last amount if the programs load later', async () => {
    const { page } = await shop.openPage();
    const programs = await holdRequests(page, '**/storefront/programs*');
    await page.goto(pageOf(1));
    await waitForStates(page, 'loading');
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
    await waitForStates(page, 'quoted');
    await painted(page);

    expect(await page.evaluate(() => Reflect.get(globalThis, 'events'))).toEqual([
      asLowAs(sheet, 20_000 + CHANGES, TODAY, disclosureTexts.en).amount,
    ]);
  });
});
