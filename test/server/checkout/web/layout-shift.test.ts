/** Layout stability of every page while it loads, even if the shop's pictures load slowly. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openedPages, startCheckoutShop, visitPlace } from '../../../support/checkout-pages.ts';
import { openPage, painted, shiftsOf, startBrowser } from '../../../support/browser.ts';

const screens = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

const shop = await startCheckoutShop();
const browser = await startBrowser();
const tabs = await Promise.all(screens.map(async (viewport) => (await openPage(browser, { viewport })).page));

describe('A page of the checkout', () => {
  it.each(openedPages)('does not shift while it loads: $name', async ({ reach }) => {
    const place = await reach(shop);
    const measureShifts = async (tab: Page) => {
      shop.pictures.hold();
      await visitPlace(tab, place);
      await painted(tab);
      shop.pictures.release();
      await showPictures(tab);
      return shiftsOf(tab);
    };
    for (const tab of tabs) {
      const shifts = await measureShifts(tab);
      // A real shift occurs on every load. A busy browser can paint a half-loaded page, so a shift is measured again.
      expect(shifts.length > 0 ? await measureShifts(tab) : [], `at ${tab.viewportSize()!.width} px`).toEqual([]);
    }
  });

  it('is measured by a method that detects a shift', async () => {
    const tab = tabs[0]!;
    await tab.goto('about:blank');
    await tab.setContent('<p id="late" hidden>Late</p><p>Read me</p>');
    await painted(tab);
    await tab.evaluate(() => (document.getElementById('late')!.hidden = false));
    await painted(tab);
    expect(await shiftsOf(tab)).toEqual([expect.any(Number)]);
  });
});

/** Scrolls to every picture and waits until it is decoded and painted. */
async function showPictures(page: Page): Promise<void> {
  for (const picture of await page.locator('img').all()) {
    if (!(await picture.isVisible())) continue;
    await picture.scrollIntoViewIfNeeded();
    await picture.evaluate((img: HTMLImageElement) => img.decode());
  }
  await painted(page);
}
