/** Texts of other languages, which the page loads in addition to the script. */
import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startBrowser, openPage } from '../support/browser.ts';
import { casesOf } from '../support/campaign.ts';
import { widgetFolder } from '../support/service.ts';

const SHOP = 'https://shop.example/';
const SERVICE = 'https://financing.example/';
const PROGRAMS = readFileSync(new URL('../widget/fixtures/standard/storefront/programs', import.meta.url));

interface LanguagePage {
  page: Page;
  /** Requested files except the script. */
  requested: string[];
  errors: string[];
}

/** Opens a page with three elements, and waits for their estimates. */
async function givenPage(
  lang: string,
  script: string,
  handlers: Record<string, (route: Route) => Promise<void>> = {},
): Promise<LanguagePage> {
  const { page } = await openPage(await startBrowser());
  const [requested, errors]: [string[], string[]] = [[], []];
  page.on('pageerror', ({ message }) => errors.push(message));
  const type = script.includes('iife') ? '' : 'type="module"';
  const html = `<!doctype html><html lang="${lang}"><title>Shop</title><script ${type} src="${SERVICE}widget/v1/${script}"></script>
    ${'<financing-button api-key="key" amount="50000" cart-url="/c"></financing-button>'.repeat(3)}`;
  await page.route(SHOP, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.route(`${SERVICE}**`, (route) => {
    const file = new URL(route.request().url()).pathname.replace('/widget/v1/', '');
    const headers = { 'access-control-allow-origin': '*' };
    if (file === '/storefront/programs') return route.fulfill({ headers, contentType: 'application/json', body: PROGRAMS });
    if (file !== script) requested.push(file);
    const contentType = file.endsWith('.js') ? 'text/javascript' : 'application/json';
    return handlers[file]?.(route) ?? route.fulfill({ headers, contentType, body: readFileSync(`${widgetFolder}/${file}`) });
  });
  await page.goto(SHOP);
  for (const element of await page.locator('financing-button').all()) await element.locator('strong').waitFor();
  return { page, requested, errors };
}

const estimates = (page: Page): Promise<string[]> => page.locator('financing-button [part=estimate]').allTextContents();

describe.each(['financing-button.js', 'financing-button.iife.js'])('%s', (script) => {
  const cases: [lang: string, estimate: RegExp, files: string[]][] = [
    ['fr-CA', /^Dès \d\d,\d\d\s\$\sUS\/mois$/, ['texts/fr.js']],
    ['zh-TW', /^每月US\$\d\d\.\d\d起$/, ['texts/zh-Hant.js']],
    ['fi', /^As low as \$\d\d\.\d\d\/month$/, []],
    ['en', /^As low as \$\d\d\.\d\d\/month$/, []],
    ['', /^As low as \$\d\d\.\d\d\/month$/, []],
  ];
  it.each(casesOf(cases, ([lang]) => ['fr-CA', 'fi'].includes(lang)))(
    'requests the texts of language "%s" once, or no texts for English and unsupported languages',
    async (lang, estimate, files) => {
      const { page, requested, errors } = await givenPage(lang, script);

      for (const text of await estimates(page)) expect(text).toMatch(estimate);
      expect(requested).toEqual(files);
      expect(errors).toEqual([]);
    },
  );

  it('shows English if the texts cannot be loaded in time', async () => {
    const headers = { 'access-control-allow-origin': '*' };
    const failures = [
      (route: Route) => route.abort(),
      (route: Route) => route.fulfill({ status: 500 }),
      (route: Route) => route.fulfill({ headers, contentType: 'text/html', body: '<h1>404</h1>' }),
      (route: Route) => route.fulfill({ headers, contentType: 'text/javascript', body: 'export default { label: `Pag' }),
      () => new Promise<void>(() => {}),
    ];
    const pages = await Promise.all(failures.map((handler) => givenPage('es', script, { 'texts/es.js': handler })));
    for (const { page, errors } of pages) {
      for (const text of await estimates(page)) expect(text).toMatch(/^As low as \$/);
      expect(await page.locator('financing-button [part=disclosure]').first().textContent()).toMatch(/^Example/);
      expect(errors).toEqual([]);
    }
  });
});
