import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import type { ProgramDocument } from '../../shared/programs/rate-sheet.ts';
import { widgetFolder } from '../support/service.ts';
import { waitForStates } from './shop.ts';

const SHOP = 'https://shop.example/';
const SERVICE = 'https://financing.example/';

export interface WidgetPageOptions {
  script: string;
  /** Programs of the service. */
  document: ProgramDocument;
  /** Language of the page. */
  lang?: string;
  /** Number of buttons. Defaults to 1. */
  buttonCount?: number;
  /** Handlers of requests for files, by name. By default, the built files are served. */
  handlers?: Record<string, (route: Route) => Promise<void>>;
}

export interface WidgetPage {
  page: Page;
  /** Requested files except the script. */
  requested: string[];
  /** Uncaught errors. */
  errors: string[];
}

/** Opens a page with buttons, the built script and a service that responds with `document`, and waits for the quotes. */
export async function openWidgetPage(
  page: Page,
  { script, document, lang = '', buttonCount = 1, handlers = {} }: WidgetPageOptions,
): Promise<WidgetPage> {
  const [requested, errors]: [string[], string[]] = [[], []];
  page.on('pageerror', ({ message }) => errors.push(message));
  const type = script.includes('iife') ? '' : 'type="module"';
  const html = `<!doctype html><html lang="${lang}"><title>Shop</title><script ${type} src="${SERVICE}widget/v1/${script}"></script>
    ${'<financing-button api-key="key" amount="50000" cart-url="/c"></financing-button>'.repeat(buttonCount)}`;
  await page.route(SHOP, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.route(`${SERVICE}**`, (route) => {
    const file = new URL(route.request().url()).pathname.replace('/widget/v1/', '');
    const headers = { 'access-control-allow-origin': '*' };
    if (file === '/storefront/programs') return route.fulfill({ headers, json: document });
    if (file !== script) requested.push(file);
    const contentType = file.endsWith('.js') ? 'text/javascript' : 'application/json';
    return handlers[file]?.(route) ?? route.fulfill({ headers, contentType, body: readFileSync(`${widgetFolder}/${file}`) });
  });
  await page.goto(SHOP);
  await waitForStates(page, 'quoted', 'unavailable');
  return { page, requested, errors };
}
