/** Accessibility of every page in every color scheme, at large text sizes, in both languages and by keyboard. */
import { changeMerchant } from '../../../../server/merchants/merchants.ts';
import { systemClock } from '../../../../server/base/time.ts';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openedPages, startCheckoutShop, inSpanish, type Place, visitPlace } from '../../../support/checkout-pages.ts';
import { casesOf } from '../../../support/campaign.ts';
import { COLOR_RULES, expectAccessible, startBrowser, openPage } from '../../../support/browser.ts';
import { PHONE } from '../../../support/page-measures.ts';

/** The viewport that a window of 1280 by 1024 pixels has at a zoom of 400 %: WCAG 1.4.10. */
const AT_400_PERCENT = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };

const colorModes = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced colors': { colorScheme: 'light', forcedColors: 'active' },
  'dark forced colors and reduced motion': { colorScheme: 'dark', forcedColors: 'active', reducedMotion: 'reduce' },
} as const;

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const languages = [
  ['English', (there: Place) => there],
  ['Spanish', inSpanish],
] as const;

const shop = await startCheckoutShop();
// A color whose contrast has to be corrected in the light scheme.
const brand = { logo: Buffer.from(PIXEL, 'base64'), accent: '#ffd400', support: ['help@acme.example'] };
await changeMerchant(shop.database, 'sandbox', shop.app.merchantId, brand, systemClock.now());
const browser = await startBrowser();
const wide = (await openPage(browser, { viewport: { width: 1280, height: 1024 } })).page;
const zoomed = (await openPage(browser, AT_400_PERCENT)).page;

describe('A page of the checkout', () => {
  describe.each(openedPages)('$name', ({ reach, isDocument }) => {
    let place: Place;
    beforeAll(async () => {
      place = await reach(shop);
    });

    it('has no axe violations in any color mode, and fits the screen at twice the text size', async () => {
      await visitPlace(wide, place);
      for (const [name, mode] of Object.entries(colorModes)) {
        await wide.emulateMedia({ forcedColors: 'none', reducedMotion: 'no-preference', ...mode });
        await expectAccessible(wide, name, name === 'light' ? {} : { only: COLOR_RULES });
      }
      expect(await smallControls(wide)).toEqual([]);
      await restyle(wide, 'html', 'font-size: 200%');
      expect(await overflowing(wide)).toEqual([]);
    });

    it('is reached by keyboard in the order in which it is seen, with its focus', async () => {
      const { page: tab } = await openPage(browser, { viewport: PHONE });
      await visitPlace(tab, place);
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

    // Spanish texts are longer.
    it.each(casesOf(languages, ([language]) => language === 'Spanish'))(
      'fits the screen at 400 %, also with wide letter and word spacing, and has large enough controls, in %s',
      async (language, inLanguage) => {
        await visitPlace(zoomed, inLanguage(place));
        if (!isDocument) expect(await zoomed.locator('html').getAttribute('lang')).toBe(language === 'Spanish' ? 'es' : 'en');
        await expectAccessible(zoomed, 'at 400 %');
        expect(await overflowing(zoomed)).toEqual([]);
        expect(await smallControls(zoomed)).toEqual([]);
        await restyle(zoomed, 'body *', 'line-height: 1.5; letter-spacing: 0.12em; word-spacing: 0.16em');
        expect(await overflowing(zoomed), 'with wide spacing').toEqual([]);
      },
    );
  });
});

/** Applies styles as a user style sheet would: WCAG 1.4.4 and 1.4.12. */
async function restyle(page: Page, selector: string, css: string): Promise<void> {
  await page.evaluate(
    ([elements, added]) => {
      for (const element of document.querySelectorAll<HTMLElement>(elements)) element.style.cssText += added;
    },
    [selector, css] as const,
  );
}

/** Returns elements that extend beyond the window or are clipped. */
async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isInScroller = (element: Element) => element.closest('[data-scrolls], .scroll') !== null;
    const isHidden = (element: Element) => !element.checkVisibility() || getComputedStyle(element).clipPath !== 'none';
    const texts = [...document.querySelectorAll('body *')].filter((element) => !isHidden(element) && !isInScroller(element));
    const isOutside = (element: Element) => {
      const { left, right } = element.getBoundingClientRect();
      return left < -0.5 || right > width + 0.5;
    };
    const isClipped = (element: Element) =>
      getComputedStyle(element).overflowX !== 'visible' &&
      !['INPUT', 'SELECT'].includes(element.tagName) &&
      element.scrollWidth > element.clientWidth + 1;
    const pageScroll = document.documentElement.scrollWidth > width ? ['the page scrolls sideways'] : [];
    const found = texts.filter((element) => isOutside(element) || isClipped(element));
    return [...pageScroll, ...found.map((element) => element.outerHTML.slice(0, 120))];
  });
}

/** Returns controls smaller than 44 by 44 pixels including their labels, except links in a sentence, and standalone links below 24: WCAG 2.5.5 and 2.5.8. */
async function smallControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input:not([type=hidden]), select, summary')];
    const isInSentence = (element: Element) =>
      element.tagName === 'A' &&
      getComputedStyle(element).display === 'inline' &&
      element.parentElement!.textContent !== element.textContent;
    const sizeOf = (element: HTMLElement) => {
      const labels = element.matches('[type=checkbox], [type=radio]') ? [...(element as HTMLInputElement).labels!] : [];
      const boxes = [element, ...labels].map((part) => part.getBoundingClientRect());
      const span = (from: 'left' | 'top', to: 'right' | 'bottom') =>
        Math.max(...boxes.map((box) => box[to])) - Math.min(...boxes.map((box) => box[from]));
      return { width: span('left', 'right'), height: span('top', 'bottom') };
    };
    return controls
      .filter((element) => element.checkVisibility() && !isInSentence(element))
      .filter((element) => {
        const { width, height } = sizeOf(element);
        const wanted = element.matches('a:not(.button), [type=checkbox]') ? 24 : 44;
        return width < wanted || height < wanted;
      })
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

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
