/** Pages that include the script more than once: as a module and as a classic script, or in two versions. */
import { describe, expect, it } from 'vitest';
import { fetchResponse } from '../support/service.ts';
import { waitForStates, startWidgetShop } from './shop.ts';

const MODULE = '/widget/v1/financing-button.js';
const CLASSIC = '/widget/v1/financing-button.iife.js';

const shop = await startWidgetShop();
const { body } = await fetchResponse(`${shop.service.publicUrl}/widget/manifest.json`);
/** The module of the current release, from the manifest. */
const released = body.versions[body.current].files['financing-button.js'];

describe('A page', () => {
  const visit = async (scripts: string[]) => {
    const visitor = await shop.openPage();
    const { page } = visitor;
    await page.addInitScript(() => {
      const logged: string[] = [];
      Object.assign(globalThis, { logged });
      addEventListener('financing-error', ({ detail, target }) => logged.push(`${detail.code} ${target === window}`));
    });
    const head = scripts.map((path) => tagOf(shop.service.publicUrl + path)).join('');
    await page.goto(shop.createPage({ head, body: shop.button() + shop.button({ amount: 99_900 }) }));
    await waitForStates(page, 'quoted');
    await page.waitForLoadState('networkidle');
    return { ...visitor, logged: await page.evaluate(() => Reflect.get(globalThis, 'logged')) };
  };

  it.each([
    ['a module and a classic script', [MODULE, CLASSIC]],
    ['a classic script and a module', [CLASSIC, MODULE]],
    ['a classic script twice', [CLASSIC, CLASSIC]],
    ['a module from two URLs', [MODULE, `${MODULE}?again`]],
    ['a module from the URLs of v1 and of a release', [MODULE, '/released']],
  ])('with %s shows its estimates, and reports the duplicate once', async (_case, scripts) => {
    const { problems, logged } = await visit(
      scripts.map((path) => (path === '/released' ? new URL(released.url).pathname : path)),
    );

    expect(problems()).toEqual([expect.stringMatching(/^Unusable duplicate: http:\S+financing-button/)]);
    expect(logged).toEqual(['duplicate true']);
  });

  it('with the same module twice shows its estimates, and reports nothing', async () => {
    const { problems, logged } = await visit([MODULE, MODULE]);

    expect(problems()).toEqual([]);
    expect(logged).toEqual([]);
  });

  it('with another element of the same name keeps that element, and reports a duplicate', async () => {
    const { page, problems } = await shop.openPage();
    const head = `<script>customElements.define('financing-button', class Another extends HTMLElement {})</script>`;
    await page.goto(shop.createPage({ head: head + tagOf(shop.service.publicUrl + MODULE), body: shop.button() }));
    await page.waitForLoadState('networkidle');

    expect(await page.evaluate(() => customElements.get('financing-button')!.name)).toBe('Another');
    expect(problems()).toEqual([expect.stringContaining('duplicate')]);
  });
});

const tagOf = (url: string): string => `<script ${url.includes('iife') ? 'defer' : 'type="module"'} src="${url}"></script>`;
