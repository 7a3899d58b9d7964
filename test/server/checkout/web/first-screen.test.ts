import { describe, expect, it } from 'vitest';
import { openPage, startBrowser } from '../../../support/browser.ts';
import { checkoutPages, startCheckoutShop, visitPlace } from '../../../support/checkout-pages.ts';
import { measurePage, PHONE } from '../../../support/page-measures.ts';

const viewports = [PHONE, { width: 1280, height: 800 }];

const shop = await startCheckoutShop();
const browser = await startBrowser();

describe('On a phone and on a desktop', () => {
  async function visit(name: string, viewport: { width: number; height: number }) {
    const place = await checkoutPages.find((each) => each.name === name)!.reach(shop);
    const { page } = await openPage(browser, { viewport });
    await visitPlace(page, place);
    return page;
  }

  it.each(viewports.flatMap((viewport) => ['plans', 'plans of a smaller offer'].map((name) => [name, viewport] as const)))(
    'all plans are visible without scrolling: %s, %o',
    async (name, viewport) => {
      const page = await visit(name, viewport);
      const bottoms = await page.$$eval('.plan', (plans) => plans.map((plan) => plan.getBoundingClientRect().bottom));
      expect(bottoms).toHaveLength(3);
      expect(Math.max(...bottoms)).toBeLessThanOrEqual(viewport.height);
    },
  );

  it.each([
    ['agreement', 5],
    ['agreement of a program with everything', 5.5],
  ])('the page fits a phone with few screens: %s, at most %d', async (name, most) => {
    expect((await measurePage(await visit(name, PHONE), name)).screens).toBeLessThanOrEqual(most);
  });

  it('the terms of the agreement scroll on a phone, and its bar covers nothing that has the focus', async () => {
    const page = await visit('agreement', PHONE);
    await expect(page.getByText('About 4 minutes and 12 sections.').isVisible()).resolves.toBe(true);
    for (const target of ['.terms-box', '#agree']) {
      await page.locator(target).focus();
      const [bar, focused] = await Promise.all(['.agreement-bar', target].map((each) => page.locator(each).boundingBox()));
      expect(bar!.y).toBeGreaterThanOrEqual(0);
      expect(focused!.y).toBeGreaterThanOrEqual(bar!.y + bar!.height);
      expect(focused!.y).toBeLessThan(844);
    }
    const isScrolled = await page.$eval('.terms-box', (box) => box.scrollHeight > box.clientHeight);
    expect(isScrolled).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await page.$eval('.terms-box', (box) => box.scrollHeight - box.clientHeight)).toBe(0);
  });

  it.each(['plans', 'plans of a smaller offer'])(
    'the score disclosure follows the plans, complete and unfolded: %s',
    async (name) => {
      const page = await visit(name, PHONE);
      const isLast = await page.$eval(
        '.score-disclosure',
        (disclosure) => !disclosure.closest('form, details') && disclosure.previousElementSibling !== null,
      );
      expect(isLast).toBe(true);
      await expect(page.locator('.score-disclosure').isVisible()).resolves.toBe(true);
    },
  );
});
