/** The details of the button: their content, and the lazy module that shows them. */
import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { disclosureTexts } from '../../shared/languages/index.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { ProgramDocument } from '../../shared/programs/rate-sheet.ts';
import { openPage, startBrowser } from '../support/browser.ts';
import { createSheet } from '../support/programs.ts';
import { widgetFolder } from '../support/service.ts';
import { openWidgetPage, type WidgetPageOptions } from './page.ts';

const browser = await startBrowser();
const { page: tab } = await openPage(browser);

const documentOf = (change: Parameters<typeof createSheet>[0] = {}): ProgramDocument => {
  const sheet = createSheet(change);
  return { defaultProgramId: sheet.id, programs: [sheet], texts: disclosureTexts };
};

/** Opens a page with a button in a fresh browser context. */
async function openShop(options: Partial<WidgetPageOptions> = {}) {
  return openShopIn((await openPage(browser)).page, options);
}

/** Opens a page with a button in the tab that the tests share. */
async function openInTab(options: Partial<WidgetPageOptions> = {}) {
  await tab.unrouteAll();
  return openShopIn(tab, options);
}

function openShopIn(page: Page, options: Partial<WidgetPageOptions>) {
  return openWidgetPage(page, { script: 'financing-button.js', document: documentOf(), ...options });
}

/** Opens the details of a program and returns their text, with single spaces. */
async function detailsOf(change: Parameters<typeof createSheet>[0] = {}, lang = 'en'): Promise<string> {
  const { page } = await openInTab({ document: documentOf(change), lang });
  await page.locator('[part=details-button]').click();
  const text = await page.locator('dialog').innerText();
  return text.replaceAll(/\s+/g, ' ');
}

describe('The details', () => {
  it('name the credit tier of the plans and show the range of the others', async () => {
    const text = await detailsOf();

    expect(text).toContain(
      'Amount $ Plans for $500.00 $23.07 Monthly payment 24 months APR 9.99% Total of payments $553.71 $43.49 Monthly payment',
    );
    expect(text).toContain(
      'These plans are for the credit tier “Very good credit”. In other tiers, the APR is 14.99% to 29.99%.',
    );
    expect(text).toContain('Purchase $500.00 Down payment $0.00 Amount financed $500.00');
  });

  it('list only plans whose rate may be advertised', async () => {
    const document = documentOf();
    document.programs[0]!.caps.advertisedAprBps = 800;
    const { page } = await openInTab({ document });
    await page.locator('[part=details-button]').click();

    await page.locator('dialog ul').waitFor();
    expect(await page.locator('dialog ul div:first-child > :last-child').allTextContents()).toEqual(['12 months', '6 months']);
  });

  it('begin with the advertised plan, in the accent of the shop', async () => {
    const { page } = await openInTab();
    const advertised = (await page.locator('[part=estimate] strong').textContent())!;
    await page
      .locator('financing-button')
      .evaluate((element) => element.style.setProperty('--financing-accent', 'rgb(138, 75, 34)'));
    await page.locator('[part=details-button]').click();

    const cards = page.locator('dialog ul li');
    await expect.poll(() => cards.first().locator('strong').textContent()).toBe(advertised);
    const bordersOf = () =>
      cards.evaluateAll((all) => all.map((card) => getComputedStyle(card).borderColor === 'rgb(138, 75, 34)'));
    expect(await bordersOf()).toEqual([true, false, false]);
  });

  it('draw the payments of the example above its figures, and state that it assumes payments on their dates', async () => {
    const { page } = await openInTab();
    await page.locator('[part=details-button]').click();
    const picture = page.locator('dialog svg');
    await picture.waitFor();

    // 23 payments of $23.07 and one of $23.10, with their interest and principal.
    expect(await picture.getAttribute('viewBox')).toBe('0 0 24 2310');
    const heights = await picture
      .locator('path')
      .evaluateAll((paths) =>
        paths.map((path) =>
          (path.getAttribute('d')!.match(/v-\d+/g) ?? []).reduce((sum, height) => sum + Number(height.slice(2)), 0),
        ),
      );
    expect(heights).toEqual([5_371, 50_000]);
    const text = (await page.locator('dialog').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('It assumes that each payment is made on its date. Purchase $500.00');
    expect(text).toContain('Monthly payment 23 × $23.07 Last payment $23.10');
    expect(text).toContain('Finance charge $53.71');
  });

  it('describe the application in three steps', async () => {
    expect(await detailsOf()).toContain(
      'How it works Enter your details and apply. If you are approved, choose a plan. Sign the agreement, then pay every month.',
    );
  });

  it('state the down payment next to the plans', async () => {
    const text = await detailsOf({ downPayment: { percentBps: 1_000, minCents: 0 } });

    expect(text).toContain('Each plan requires a down payment of $50.00, due today.');
    expect(text).toContain('Down payment $50.00');
  });

  const inquiries: [inquiry: Program['inquiry'], effect: string | undefined][] = [
    [{ application: 'soft', acceptance: 'none' }, 'Applying does not affect your credit score. Continue'],
    [{ application: 'soft', acceptance: 'soft' }, 'Applying does not affect your credit score. Continue'],
    [
      { application: 'soft', acceptance: 'hard' },
      'Applying does not affect your credit score. Accepting a plan may affect it. Continue',
    ],
    [{ application: 'hard', acceptance: 'none' }, 'Applying may affect your credit score. Continue'],
    [undefined, undefined],
  ];
  it.each(inquiries)('with the inquiry %j state the effect on the credit score: %s', async (inquiry, effect) => {
    const text = await detailsOf({ inquiry });

    if (effect) expect(text).toContain(effect);
    else expect(text).not.toContain('credit score');
  });

  it('are in the language of the page', async () => {
    expect(await detailsOf({}, 'es')).toContain(
      'La solicitud no afecta su puntaje de crédito. Continuar con la solicitud Ejemplo',
    );
  });

  it('show the plans for another amount that the buyer enters, and no plans if it cannot be financed', async () => {
    const { page } = await openInTab();
    await page.locator('[part=details-button]').click();
    const dialog = page.locator('dialog');

    await dialog.locator('input').fill('740');
    await dialog.getByText('Plans for $740.00').waitFor();
    expect(await dialog.innerText()).toContain('23 × $34.14');

    await dialog.locator('input').fill('49.99');
    await dialog.getByText('Financing is offered for purchases from').waitFor();
    expect(await dialog.locator('ul, svg, [part~=button]').count()).toBe(0);
  });

  // A browser reports a closed dialog with its next frame, which a busy computer draws late.
  it.each(['their button', 'a request to close'])('can be opened again as soon as %s has closed them', async (closed) => {
    const { page } = await openInTab();
    const opener = page.locator('[part=details-button]');
    await opener.click();
    const dialog = page.locator('dialog');
    await dialog.getByRole('spinbutton').fill('600');
    await dialog.evaluate(async (first: HTMLDialogElement, withButton) => {
      if (withButton) first.querySelector<HTMLElement>('form button')!.click();
      else first.requestClose();
      await Promise.resolve();
      document.querySelector('financing-button')!.shadowRoot!.querySelector<HTMLElement>('[part=details-button]')!.click();
      // Until the browser has reported that it closed the first one.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    }, closed === 'their button');

    await dialog.getByText('Plans for $500.00').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await opener.evaluate((button) => button.matches(':focus'))).toBe(true);
  });

  it('have a button that opens the checkout like the button of the page', async () => {
    const { page } = await openInTab();
    await page.evaluate(() =>
      document.addEventListener('financing-start', (event) => {
        event.preventDefault();
        document.title = 'started';
      }),
    );
    await page.locator('[part=details-button]').click();
    await page.getByRole('button', { name: 'Continue to the application' }).click();

    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.title()).toBe('started');
  });

  it('have no such button if the page shows none', async () => {
    const { page } = await openInTab();
    await page.locator('financing-button').evaluate((element) => element.setAttribute('show', 'estimate'));
    await page.locator('[part=details-button]').click();

    await page.locator('dialog ul').waitFor();
    expect(await page.locator('[part~=button]').count()).toBe(0);
  });
});

describe.each(['financing-button.js', 'financing-button.iife.js'])('The details of %s', (script) => {
  it('are loaded when the pointer reaches their button, and once', async () => {
    const { page, requested } = await openShop({ script });
    expect(requested).toEqual([]);

    await page.locator('[part=details-button]').hover();
    await expect.poll(() => requested).toEqual(['details.js']);
    expect(await page.locator('dialog').count()).toBe(0);
    await page.locator('[part=details-button]').click();
    await page.locator('dialog ul').waitFor();
    expect(requested).toEqual(['details.js']);
  });

  it('are loaded when their button has the focus', async () => {
    const { page, requested } = await openShop({ script });
    await page.locator('[part=details-button]').focus();
    await expect.poll(() => requested).toEqual(['details.js']);
  });

  const failures: [how: string, respond: (route: Route) => Promise<void>][] = [
    ['connection fails', (route) => route.abort()],
    ['service responds 503', (route) => route.fulfill({ status: 503 })],
    ['module is incomplete', (route) => route.fulfill({ contentType: 'text/javascript', body: 'export const start = (' })],
  ];
  it.each(failures)('can be tried again if the %s, which the button shows and announces', async (_how, respond) => {
    let isFailing = true;
    const body = readFileSync(`${widgetFolder}/details.js`);
    const headers = { 'access-control-allow-origin': '*' };
    const { page, errors } = await openShop({
      script,
      handlers: {
        'details.js': (route) => (isFailing ? respond(route) : route.fulfill({ headers, contentType: 'text/javascript', body })),
      },
    });
    const codes = await recordErrors(page);
    const button = page.locator('[part=details-button]');
    await button.click();
    await page.getByRole('button', { name: 'Could not load. Try again' }).waitFor();
    expect(await page.getByRole('status').textContent()).toBe('Could not load. Try again');
    expect(await codes()).toEqual(['part']);

    await button.click();
    await expect.poll(codes).toEqual(['part', 'part']);

    isFailing = false;
    await button.click();
    await page.locator('dialog ul').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await button.textContent()).toBe('Learn more');
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(errors).toEqual([]);
  });
});

/** Records the codes of `financing-error` on the page. */
async function recordErrors(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const codes: string[] = [];
    Object.assign(globalThis, { codes });
    addEventListener('financing-error', ({ detail }) => codes.push(detail.code));
  });
  return () => page.evaluate(() => Reflect.get(globalThis, 'codes'));
}
