import { beforeAll, describe, expect, it } from 'vitest';
import { openPage, startBrowser } from '../../../support/browser.ts';
import { checkoutPages, startCheckoutShop, visitPlace } from '../../../support/checkout-pages.ts';

describe('On a phone and on a desktop', () => {
  let shop: Awaited<ReturnType<typeof startCheckoutShop>>;
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  beforeAll(async () => {
    shop = await startCheckoutShop();
    browser = await startBrowser();
  });

  async function visit(name: string, width: number) {
    const place = await checkoutPages.find((each) => each.name === name)!.reach(shop);
    const { page } = await openPage(browser, { viewport: { width, height: 844 } });
    await visitPlace(page, place);
    return page;
  }

  it.each([390, 1280])('all plans are visible without scrolling, at %i px', async (width) => {
    const page = await visit('plans', width);
    const bottoms = await page.$$eval('.plan', (plans) => plans.map((plan) => plan.getBoundingClientRect().bottom));
    expect(bottoms).toHaveLength(3);
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(844);
  });

  it('the agreement has at most five screens on a phone, its terms scroll, and its bar covers nothing that has the focus', async () => {
    const page = await visit('agreement', 390);
    expect(await page.locator('main').evaluate((main) => main.getBoundingClientRect().height)).toBeLessThanOrEqual(5 * 844);
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
      const page = await visit(name, 390);
      const isLast = await page.$eval(
        '.score-disclosure',
        (disclosure) => !disclosure.closest('form, details') && disclosure.previousElementSibling !== null,
      );
      expect(isLast).toBe(true);
      await expect(page.locator('.score-disclosure').isVisible()).resolves.toBe(true);
    },
  );
});
