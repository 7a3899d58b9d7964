/** Keyboard operation of every page, with a visible focus. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openedPages, startCheckoutShop, visitPlace } from '../../../support/checkout-pages.ts';
import { startBrowser, openPage } from '../../../support/browser.ts';
import { PHONE } from '../../../support/page-measures.ts';

const shop = await startCheckoutShop();
const tab = (await openPage(await startBrowser())).page;

describe('A page of the checkout', () => {
  it.each(openedPages)('is reached by keyboard in the order in which it is seen, with its focus: $name', async (checkoutPage) => {
    const { reach, isDocument } = checkoutPage;
    await tab.setViewportSize(PHONE);
    await visitPlace(tab, await reach(shop));
    expect(await outOfOrder(tab)).toEqual([]);
    await tab.setViewportSize({ width: 1280, height: 1024 });
    const controls = await controlsOf(tab);
    expect(controls.length > 0).toBe(!isDocument);
    for (const forcedColors of ['none', 'active'] as const) {
      await tab.emulateMedia({ forcedColors });
      expect(await stopsOf(tab, controls.length), `forced colors: ${forcedColors}`).toEqual(
        controls.map((control) => ({ control, isOutlined: true, isInView: true })),
      );
    }
  });
});

/** Returns pairs of controls of which the second is reached later, and seen above the first, or on its row before it. */
async function outOfOrder(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = [
      ...document.querySelectorAll<HTMLElement>('a[href], button, input:not([type=hidden]), select, summary, [tabindex="0"]'),
    ].filter((control) => control.checkVisibility());
    return controls.slice(1).flatMap((control, index) => {
      const before = controls[index]!;
      const one = before.getBoundingClientRect();
      const other = control.getBoundingClientRect();
      const isOnRow = other.top < one.bottom && one.top < other.bottom;
      const isBefore = isOnRow ? other.left < one.left && !before.contains(control) : other.bottom <= one.top;
      return isBefore ? [`${before.outerHTML.slice(0, 100)} is reached before ${control.outerHTML.slice(0, 100)}`] : [];
    });
  });
}

/** Returns the controls that the Tab key must reach, in document order. A group of radio buttons is one control. */
async function controlsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = [
      ...document.querySelectorAll<HTMLElement>('a[href], button, input:not([type=hidden]), select, summary, [tabindex="0"]'),
    ].filter((control) => control.checkVisibility());
    const stops = controls.filter((control) => {
      if (!control.matches('[type=radio]')) return true;
      const group = controls.filter((other) => (other as HTMLInputElement).name === (control as HTMLInputElement).name);
      return control === (group.find((radio) => (radio as HTMLInputElement).checked) ?? group[0]);
    });
    return stops.map((control) => control.outerHTML.slice(0, 120));
  });
}

/** Presses Tab `count` times from the top of the page. Returns the focused controls, and whether their focus is visible. */
async function stopsOf(page: Page, count: number): Promise<{ control: string; isOutlined: boolean; isInView: boolean }[]> {
  // Moves the focus to the start of the document.
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  const stops = [];
  for (let stop = 0; stop < count; stop++) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const control = document.activeElement!;
        const { outlineStyle, outlineWidth } = getComputedStyle(control);
        const { top, bottom } = control.getBoundingClientRect();
        return {
          control: control.outerHTML.slice(0, 120),
          isOutlined: outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2,
          isInView: bottom > 0 && top < innerHeight,
        };
      }),
    );
  }
  return stops;
}
