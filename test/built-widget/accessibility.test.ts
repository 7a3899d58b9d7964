/** Accessibility of the financing button: axe rules, keyboard, target sizes, names, contrast, themes and print. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/browser.ts';
import { casesOf } from '../support/campaign.ts';
import { appearances, galleryPage, visitGallery, widthOf } from './gallery.ts';
import * as english from '../../shared/languages/en/widget.ts';
import * as spanish from '../../shared/languages/es/widget.ts';
import { waitForStates, startWidgetShop } from './shop.ts';

const shop = await startWidgetShop();
const tab = (await shop.openPage()).page;

/** Shows a button on the page that the tests share. */
async function renderButton(attributes: Record<string, string> = {}, head = ''): Promise<void> {
  await tab.setViewportSize({ width: 390, height: 844 });
  await tab.emulateMedia({ media: null });
  const around = `<style>${head}</style><a href="/before">before</a>${shop.button(attributes)}<a href="/after">after</a>`;
  await tab.goto(shop.createPage({ body: around }));
  await waitForStates(tab, 'quoted');
}

const typicalAppearances = ['dark', 'dark page without color-scheme', 'yellow page', 'forced colors', 'right-to-left page'];

describe('All states and the details have no axe violations and do not overflow', () => {
  const cases = casesOf(appearances, ({ name }) => typicalAppearances.includes(name));
  it.each(cases)('$name', async (appearance) => {
    const { page } = await shop.openPage({ viewport: { width: widthOf(appearance), height: 844 }, ...appearance.options });
    await visitGallery(page, galleryPage(shop, appearance), appearance);
    // In forced colors, axe reads colors that the browser does not use.
    const unjudged = appearance.options?.forcedColors ? ['color-contrast'] : [];
    await expectAccessible(page, '', { unjudged });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(widthOf(appearance));
    if (appearance.print) return;
    for (const index of [0, 2]) {
      await page.evaluate((position) => document.querySelectorAll('financing-button')[position]!.showDetails(), index);
      const dialog = page.locator('dialog[open]');
      await dialog.waitFor();
      // The other buttons were checked before.
      await expectAccessible(page, 'with the details', {
        unjudged,
        within: `section:nth-of-type(${index + 1}) financing-button`,
      });
      const overflow = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(overflow).toBe(0);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });
});

describe('With the keyboard,', () => {
  /** Returns the part, label or element name of the focused element in the shadow root, or the text of the one on the page. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const inner = document.activeElement?.shadowRoot?.activeElement;
      return inner?.getAttribute('part') ?? inner?.ariaLabel ?? inner?.localName ?? document.activeElement!.textContent;
    });

  it('every control is reached in reading order', async () => {
    await renderButton();
    const reached: string[] = [];
    for (let presses = 0; presses < 4; presses++) {
      await tab.keyboard.press('Tab');
      reached.push(await focused(tab));
    }
    expect(reached).toEqual(['before', 'button', 'details-button', 'after']);
  });

  it.each([
    ['Enter', 'Escape'],
    ['Space', 'Enter'],
  ])('%s opens the details, which trap the focus, and %s closes them and restores it', async (open, close) => {
    await renderButton();
    await tab.locator('[part=details-button]').focus();
    await tab.keyboard.press(open);
    await tab.locator('dialog[open]').waitFor();
    const reached = [await focused(tab)];
    for (let presses = 0; presses < 6; presses++) {
      await tab.keyboard.press('Tab');
      reached.push(await focused(tab));
    }
    const outside = ['before', 'after', 'button', 'details-button'];
    expect(reached.filter((name) => outside.includes(name))).toEqual([]);
    expect(reached).toEqual(expect.arrayContaining(['Close', 'input', 'button details-start']));

    await tab.getByRole('button', { name: 'Close' }).focus();
    await tab.keyboard.press(close);
    await tab.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused(tab)).toBe('details-button');
  });

  it('the focused control has an outline', async () => {
    await renderButton();
    for (const part of ['button', 'details-button']) {
      const target = tab.locator(`[part=${part}]`);
      const before = await target.evaluate((element) => getComputedStyle(element).outlineStyle);
      await tab.keyboard.press('Tab');
      await target.focus();
      expect([before, await target.evaluate((element) => getComputedStyle(element).outlineStyle)]).toEqual(['none', 'auto']);
    }
  });
});

it('All controls are large enough for touch', async () => {
  await renderButton();
  await tab.locator('[part=details-button]').click();
  const sizes: [selector: string, atLeast: number][] = [
    ['[part=button]', 44],
    ['[part=details-button]', 24],
    ['[aria-label=Close]', 44],
    ['[part~=details-start]', 44],
    ['dialog input', 40],
  ];
  for (const [selector, atLeast] of sizes) {
    const { width, height } = (await tab.locator(selector).boundingBox())!;
    expect([selector, width >= atLeast && height >= atLeast]).toEqual([selector, true]);
  }
});

it('The close button of the details remains visible when they are scrolled', async () => {
  await renderButton();
  await tab.setViewportSize({ width: 320, height: 256 });
  await tab.locator('[part=details-button]').click();
  await tab.locator('dialog').evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
  expect(await tab.locator('dialog').evaluate((dialog) => dialog.scrollTop)).toBeGreaterThan(100);
  const { y, height } = (await tab.locator('[aria-label=Close]').boundingBox())!;
  expect([y >= 0, y + height <= 256]).toEqual([true, true]);
});

it.each([
  ['en', english],
  ['es', spanish],
])(
  'The link, the dialog, its controls and its plans have accessible names in %s',
  async (lang, { widget: texts, widgetDetails: detailsTexts }) => {
    await renderButton({ lang });
    const link = tab.getByRole('link', { name: texts.label, exact: true });
    await link.waitFor();
    const described = await link.evaluate((element) =>
      element
        .getAttribute('aria-describedby')!
        .split(' ')
        .map((id) => (element.getRootNode() as ShadowRoot).getElementById(id)!.textContent.trim()),
    );
    const [before, after] = texts.estimate.split('{amount}') as [string, string];
    expect(described[0]!.startsWith(before.trim()) && described[0]!.endsWith(after.trim())).toBe(true);
    expect(described[1]).toContain('APR');

    await tab.getByRole('button', { name: texts.more, exact: true }).click();
    const dialog = tab.getByRole('dialog', { name: detailsTexts.title, exact: true });
    await dialog.getByRole('button', { name: detailsTexts.close, exact: true }).waitFor();
    await dialog.getByRole('spinbutton', { name: detailsTexts.amount, exact: true }).waitFor();
    await dialog.getByRole('heading', { name: detailsTexts.plans.split('{amount}')[0]!.trim() }).waitFor();
    const plan = await dialog.getByRole('list').first().getByRole('listitem').first().textContent();
    for (const label of [detailsTexts.monthly, detailsTexts.apr, detailsTexts.total]) expect(plan).toContain(label);
  },
);

it('Changes of the attributes theme, show and hidden change the element', async () => {
  await renderButton();
  const rendering = (): Promise<unknown> =>
    tab.evaluate(async () => {
      const element = document.querySelector('financing-button')!;
      await element.updateComplete;
      const visible = ['[part=estimate]', '[part=button]', '[part=disclosure]'].filter((part) =>
        element.shadowRoot!.querySelector(part)?.checkVisibility(),
      );
      return [getComputedStyle(element).color, visible.map((part) => part.slice(6, -1)).join(' ')];
    });
  const set = (name: string, value: string | null): Promise<void> =>
    tab.evaluate(
      ([attribute, to]) => {
        const element = document.querySelector('financing-button')!;
        if (to === null) element.removeAttribute(attribute);
        else element.setAttribute(attribute, to);
      },
      [name, value] as const,
    );
  const initial = ['rgb(0, 0, 0)', 'estimate button disclosure'];
  const steps: [name: string, value: string | null, expected: string[]][] = [
    ['theme', 'dark', ['rgb(238, 238, 238)', initial[1]!]],
    ['theme', 'light', ['rgb(17, 17, 17)', initial[1]!]],
    ['theme', null, initial],
    ['show', 'estimate', [initial[0]!, 'estimate disclosure']],
    ['show', 'button', [initial[0]!, 'button']],
    ['show', null, initial],
    ['hidden', '', [initial[0]!, '']],
    ['hidden', null, initial],
  ];
  for (const [name, value, expected] of steps) {
    await set(name, value);
    expect(await rendering(), `${name} ${value}`).toEqual(expected);
  }
});

it('Printed pages show the text without buttons', async () => {
  await renderButton();
  await tab.emulateMedia({ media: 'print' });
  const visible = await Promise.all(
    ['estimate', 'disclosure', 'button', 'details-button'].map((part) => tab.locator(`[part=${part}]`).isVisible()),
  );
  expect(visible).toEqual([true, true, false, false]);
});
