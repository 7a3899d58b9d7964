/** Pages that load the script and its lazy modules in different versions, which caches may cause for minutes after a release. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { casesOf } from '../support/campaign.ts';
import { waitForStates, startWidgetShop } from './shop.ts';

/** Lazy modules of an incompatible version. */
const modules: [description: string, code: string][] = [
  ['has no export `start`', 'export const begin = () => () => {};'],
  ['has an export `start` that is not a function', 'export const start = { version: 2 };'],
  ['is empty', ''],
  ['has a syntax error', 'export const start = (core => {'],
  ['is an HTML page', '<!doctype html><h1>Not found</h1>'],
  ['throws when it is loaded', 'throw new Error("newer"); export const start = () => () => {};'],
  ['throws when it starts', 'export const start = () => { throw new Error("newer"); };'],
  ['calls a function that the script does not have', 'export const start = (core) => core.newer.things();'],
  ['imports a missing file', 'import "./newer.js"; export const start = () => () => {};'],
];
/** Modules that pages use. `details.test.ts` tests the one that buyers use. */
const uses: [name: string, attributes: Record<string, string>][] = [
  ['checkout', { mode: 'modal' }],
  ['amount-from', { 'amount-from': '#price', amount: '' }],
];

const shop = await startWidgetShop();

describe('A lazy module that', () => {
  const visit = async (module: string, code: string, attributes: Record<string, string | undefined>) => {
    const visitor = await shop.openPage();
    const { page } = visitor;
    await page.addInitScript(() => {
      const events: string[] = [];
      Object.assign(globalThis, { events });
      addEventListener('financing-error', ({ detail }) => events.push(`${detail.code}: ${detail.message}`));
      addEventListener('error', ({ message }) => events.push(`uncaught ${message}`));
      addEventListener('unhandledrejection', ({ reason }) => events.push(`unhandled ${reason}`));
    });
    await page.route(`**/widget/v1/${module}.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' }, body: code }),
    );
    await page.route('**/newer.js', (route) => route.fulfill({ status: 404 }));
    await page.goto(shop.createPage({ body: `<p id="price">$650.00</p>${shop.button(attributes)}` }));
    return visitor;
  };

  describe.each(modules)('%s', (description, code) => {
    const typical = (name: string) => name === 'checkout' || description === 'has no export `start`';
    it.each(casesOf(uses, ([name]) => typical(name)))(
      'causes the error `part` for %s, and the button keeps working',
      async (name, attributes) => {
        const { page, problems } = await visit(name, code, attributes);
        await expect.poll(() => eventsOn(page)).toEqual([`part: Unusable part: ${name}`]);
        await waitForStates(page, 'amount' in attributes ? 'idle' : 'quoted');
        expect(await page.locator('financing-button a').evaluate((link) => (link as HTMLAnchorElement).href)).toBe(
          `${shop.url}/cart`,
        );

        // The button works as if it did not use the module.
        await page.evaluate(async () => {
          const button = document.querySelector('financing-button')!;
          const main = document.createElement('main');
          document.body.append(main);
          main.append(button);
          Object.assign(button, { amount: 60_000, mode: null, amountFrom: null });
          await button.updateComplete;
          button.showDetails();
        });
        await waitForStates(page, 'quoted');
        await page.locator('dialog').waitFor();
        expect((await eventsOn(page)).filter((message) => !message.startsWith('part'))).toEqual([]);
        expect(problems()).toEqual([]);
      },
    );
  });

  it.each([
    ['lacks some texts', 'export const widget = { label: "Pagar" };', 'Pagar'],
    ['has no texts', '', 'Pay over time'],
    ['throws when it is loaded', 'throw new Error("newer");', 'Pay over time'],
  ])('%s, for the texts of a language, leaves the missing texts in English', async (_case, code, label) => {
    const { page, problems } = await visit('texts/es', code, { lang: 'es' });
    await waitForStates(page, 'quoted');
    await expect.poll(() => page.locator('financing-button a').textContent()).toBe(label);
    expect(await page.getByRole('button', { name: 'Learn more' }).count()).toBe(1);
    expect(await eventsOn(page)).toEqual([]);
    expect(problems()).toEqual([]);
  });
});

const eventsOn = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(globalThis, 'events'));
