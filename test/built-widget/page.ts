import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { ProgramDocument } from '../../shared/programs/rate-sheet.ts';
import { widgetFolder } from '../support/service.ts';

const SHOP = 'https://shop.example/';
const SERVICE = 'https://financing.example/';

export interface WidgetPage {
  page: Page;
  /** The requested URLs except that of the page. */
  requested: string[];
}

/** Opens a page with one element, the built script and a service that responds with `document`, and waits for the quote. */
export async function givenWidgetPage(
  page: Page,
  { script, document }: { script: string; document: ProgramDocument },
): Promise<WidgetPage> {
  const requested: string[] = [];
  const type = script.includes('iife') ? '' : 'type="module"';
  const html = `<!doctype html><title>Shop</title><script ${type} src="${SERVICE}widget/v1/${script}"></script>
    <financing-button api-key="key" amount="50000"></financing-button>`;
  await page.route(SHOP, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.route(`${SERVICE}**`, (route) => {
    const { pathname } = new URL(route.request().url());
    requested.push(pathname);
    const headers = { 'access-control-allow-origin': '*' };
    if (pathname === '/storefront/programs') return route.fulfill({ headers, json: document });
    const file = `${widgetFolder}/${pathname.slice('/widget/v1/'.length)}`;
    return route.fulfill({ headers, contentType: 'text/javascript', body: readFileSync(file) });
  });
  await page.goto(SHOP);
  await page.waitForSelector('financing-button:is(:state(quoted), :state(unavailable))');
  return { page, requested };
}
