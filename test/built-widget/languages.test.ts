/** Texts of other languages, which the page loads in addition to the script. */
import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ProgramDocument } from '../../shared/programs/rate-sheet.ts';
import { startBrowser, openPage } from '../support/browser.ts';
import { casesOf } from '../support/campaign.ts';
import { openWidgetPage, type WidgetPage, type WidgetPageOptions } from './page.ts';

const document = JSON.parse(
  readFileSync(new URL('../widget/fixtures/standard/storefront/programs', import.meta.url), 'utf8'),
) as ProgramDocument;

/** Opens a page with three buttons. */
async function createPage(
  lang: string,
  script: string,
  handlers: WidgetPageOptions['handlers'] = {},
  programs = document,
): Promise<WidgetPage> {
  const { page } = await openPage(await startBrowser());
  return openWidgetPage(page, { script, document: programs, lang, buttonCount: 3, handlers });
}

const estimates = (page: Page): Promise<string[]> => page.locator('financing-button [part=estimate]').allTextContents();

describe.each(['financing-button.js', 'financing-button.iife.js'])('%s', (script) => {
  const cases: [lang: string, estimate: RegExp, files: string[]][] = [
    ['es-US', /^Desde \$\d\d\.\d\d al mes$/, ['texts/es.js']],
    ['es-ES', /^Desde \d\d,\d\d\sUS\$ al mes$/, ['texts/es.js']],
    ['fr', /^As low as \$\d\d\.\d\d\/month$/, []],
    ['en', /^As low as \$\d\d\.\d\d\/month$/, []],
    ['', /^As low as \$\d\d\.\d\d\/month$/, []],
  ];
  it.each(casesOf(cases, ([lang]) => ['es-US', 'fr'].includes(lang)))(
    'requests the texts of language "%s" once, or no texts for English and unsupported languages',
    async (lang, estimate, files) => {
      const { page, requested, errors } = await createPage(lang, script);

      for (const text of await estimates(page)) expect(text).toMatch(estimate);
      expect(requested).toEqual(files);
      expect(errors).toEqual([]);
    },
  );

  it('shows English if the lender’s agreement is not in the language of the page', async () => {
    const programs = document.programs.map((program) => ({ ...program, languages: ['en' as const] }));
    const { page, errors } = await createPage('es', script, {}, { ...document, programs });
    for (const text of await estimates(page)) expect(text).toMatch(/^As low as \$/);
    expect(await page.locator('financing-button [part=disclosure]').first().textContent()).toMatch(/^Example/);
    expect(errors).toEqual([]);
  });

  it('shows English if the texts cannot be loaded in time', async () => {
    const headers = { 'access-control-allow-origin': '*' };
    const failures = [
      (route: Route) => route.abort(),
      (route: Route) => route.fulfill({ status: 500 }),
      (route: Route) => route.fulfill({ headers, contentType: 'text/html', body: '<h1>404</h1>' }),
      (route: Route) => route.fulfill({ headers, contentType: 'text/javascript', body: 'export const widget = { label: `Pag' }),
      () => new Promise<void>(() => {}),
    ];
    const pages = await Promise.all(failures.map((handler) => createPage('es', script, { 'texts/es.js': handler })));
    for (const { page, errors } of pages) {
      for (const text of await estimates(page)) expect(text).toMatch(/^As low as \$/);
      expect(await page.locator('financing-button [part=disclosure]').first().textContent()).toMatch(/^Example/);
      expect(errors).toEqual([]);
    }
  });
});
