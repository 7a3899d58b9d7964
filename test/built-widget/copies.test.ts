/** The script on a page more than once: from two templates, in two kinds, of two versions. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { fetchResponse, widgetFolder } from '../support/service.ts';
import { allAre, givenWidgetShop, type WidgetShop } from './shop.ts';

const MODULE = '/widget/v1/financing-button.js';
const PLAIN = '/widget/v1/financing-button.iife.js';

describe('A page with the script', () => {
  let shop: WidgetShop;
  /** The module as it was released, and what it must be. */
  let released: { url: string; integrity: string };
  beforeAll(async () => {
    shop = await givenWidgetShop();
    const { body } = await fetchResponse(`${shop.service.publicUrl}/widget/manifest.json`);
    released = body.versions[body.current].files['financing-button.js'];
  });

  const visit = async (scripts: string[]) => {
    const visitor = await shop.openPage();
    const { page } = visitor;
    await page.addInitScript(() => {
      const logged: string[] = [];
      Object.assign(globalThis, { logged });
      addEventListener('financing-error', ({ detail, target }) => logged.push(`${detail.code} ${target === window}`));
    });
    const head = scripts.map((path) => tagOf(shop.service.publicUrl + path)).join('');
    await page.goto(shop.givenPage({ head, body: shop.button() + shop.button({ amount: 99_900 }) }));
    await allAre(page, 'quoted');
    await page.waitForLoadState('networkidle');
    return { ...visitor, logged: await page.evaluate(() => Reflect.get(globalThis, 'logged')) };
  };

  it.each([
    ['as a module and as a plain script', [MODULE, PLAIN]],
    ['as a plain script and as a module', [PLAIN, MODULE]],
    ['as a plain script, twice', [PLAIN, PLAIN]],
    ['as a module from two addresses', [MODULE, `${MODULE}?again`]],
    ['of today and of a release', [MODULE, '/released']],
  ])('%s logs it once, and has an element that works', async (_how, scripts) => {
    const { problems, logged } = await visit(
      scripts.map((path) => (path === '/released' ? new URL(released.url).pathname : path)),
    );

    expect(problems()).toEqual([expect.stringMatching(/^Unusable duplicate: http:\S+financing-button/)]);
    expect(logged).toEqual(['duplicate true']);
  });

  it('as the same module twice registers it once, without a message', async () => {
    const { problems, logged } = await visit([MODULE, MODULE]);

    expect(problems()).toEqual([]);
    expect(logged).toEqual([]);
  });

  it('leaves another element of the same name unchanged', async () => {
    const { page, problems } = await shop.openPage();
    const head = `<script>customElements.define('financing-button', class Another extends HTMLElement {})</script>`;
    await page.goto(shop.givenPage({ head: head + tagOf(shop.service.publicUrl + MODULE), body: shop.button() }));
    await page.waitForLoadState('networkidle');

    expect(await page.evaluate(() => customElements.get('financing-button')!.name)).toBe('Another');
    expect(problems()).toEqual([expect.stringContaining('duplicate')]);
  });

  it('does not run it if a byte has changed and the page has its hash', async () => {
    const { page } = await shop.openPage();
    const { url, integrity } = released;
    const tag = tagOf(url).replace('src=', `crossorigin integrity="${integrity}" src=`);
    const address = shop.givenPage({ head: tag, body: shop.button() });
    await page.goto(address);
    await allAre(page, 'quoted');

    const script = readFileSync(`${widgetFolder}/financing-button.js`, 'utf8');
    await page.route(url, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        headers: { 'access-control-allow-origin': '*' },
        body: script.replace('financing', 'finansing'),
      }),
    );
    await page.goto(address);
    await page.waitForLoadState('networkidle');
    expect(await page.locator('financing-button:defined').count()).toBe(0);
  });
});

const tagOf = (url: string): string => `<script ${url.includes('iife') ? 'defer' : 'type="module"'} src="${url}"></script>`;
