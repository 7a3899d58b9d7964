/** Lighthouse scores of the pages of the checkout and of the documentation. */
import lighthouse from 'lighthouse';
import { describe, expect, it } from 'vitest';
import { readDocumentation } from '../../server/http/openapi/docs/pages.ts';
import { escapeHtml } from '../../server/http/pages/html.ts';
import { checkoutPages, startCheckoutShop } from '../support/checkout-pages.ts';
import { startService } from '../support/service.ts';
import { startDebuggedBrowser } from '../support/browser.ts';

/** Each step and two final pages, because Lighthouse takes seconds per page. */
const PAGE_NAMES = ['details', 'apply', 'plans with a promotion', 'card', 'agreement', 'completed', 'declined'];
const measured = checkoutPages.filter(({ name }) => PAGE_NAMES.includes(name));

/** Pages of recipes differ only in their code. */
const site = { stylesheet: '', script: '', version: '', color: escapeHtml };
const documentation = [...readDocumentation(site, 'sandbox').pages.keys()].filter((path) => !path.startsWith('/docs/recipes/'));

const shop = await startCheckoutShop();
const service = await startService();
const port = await startDebuggedBrowser();

describe('Lighthouse', { timeout: 60_000 }, () => {
  const pages = [
    ...measured.map(({ name, reach }) => ({ name, urlOf: async () => (await reach(shop)).url })),
    ...documentation.map((name) => ({
      name,
      urlOf: () => Promise.resolve(service.publicUrl + name),
    })),
  ];

  it.each(pages)('reports 100 for accessibility and for best practices: $name', async ({ urlOf }) => {
    const url = await urlOf();
    const result = await lighthouse(url, {
      port,
      logLevel: 'error',
      onlyCategories: ['accessibility', 'best-practices'],
      disableFullPageScreenshot: true,
      // The pages are static after they have loaded.
      pauseAfterFcpMs: 0,
      pauseAfterLoadMs: 0,
      networkQuietThresholdMs: 100,
      cpuQuietThresholdMs: 100,
    });
    const { categories, audits, runtimeError } = result!.lhr;
    const imperfect = Object.values(audits).filter(({ score }) => score !== null && score < 1);
    expect(runtimeError).toBeUndefined();
    expect(imperfect.map(({ id, details }) => `${id}: ${JSON.stringify(details)}`)).toEqual([]);
    expect(Object.fromEntries(Object.entries(categories).map(([id, { score }]) => [id, score]))).toEqual({
      accessibility: 1,
      'best-practices': 1,
    });
  });

  it('measures every page of PAGE_NAMES', () => {
    expect(measured).toHaveLength(PAGE_NAMES.length);
  });
});
