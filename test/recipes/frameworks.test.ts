/** The recipes for pages built with a framework, each built as a shop builds it, in a real browser, before a real service. */
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { givenChromium, givenVisitor } from '../support/chromium.ts';
import { givenService, type TestService } from '../support/service.ts';
import { buildHydration, buildRecipe, buildServer, type Building, type Built } from './built.ts';
import { givenRecipeShop, htmlPage, type RecipeShop } from './given-shop.ts';
import type { PageProps } from './hydrated/props.ts';
import { expectRecipeToWork, oak, product } from './works.ts';

const frameworks = [
  { recipe: 'react-19', server: 'hydrated/react-server.tsx', client: 'hydrated/react-client.tsx' },
  { recipe: 'vue', server: 'hydrated/vue-server.ts', client: 'hydrated/vue-client.ts' },
  { recipe: 'svelte', server: 'hydrated/svelte-server.ts', client: 'hydrated/svelte-client.ts' },
];

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([givenService(), givenChromium()]);
});

describe.each(frameworks)('The recipe for $recipe', ({ recipe, server, client }) => {
  let shop: RecipeShop;
  let props: PageProps;
  let building: Building;
  beforeAll(async () => {
    shop = await givenRecipeShop(service);
    const { apiKey } = shop.merchant;
    props = { product, serviceUrl: service.publicUrl, apiKey };
    building = { recipe, env: { VITE_FAIRTERM_URL: service.publicUrl, VITE_FAIRTERM_KEY: apiKey } };
  });

  it('shows the price, follows the variant, is heard, and its button leads to the checkout', async () => {
    serve(shop, await buildRecipe(building));
    const { page, complaints } = await givenVisitor(browser);
    await page.goto(`${shop.url}/index.html`);
    await expectRecipeToWork(page, shop);
    expect(complaints).toEqual([]);
  });

  describe('on a page that a server rendered', () => {
    let html: string;
    beforeAll(async () => {
      const { render } = await buildServer<{ render: (props: PageProps) => string | Promise<string> }>(building, server);
      html = await render(props);
      serve(shop, await buildHydration(building, client));
      shop.routes.set('GET /product', () => htmlPage(hydratable(html, props)));
      shop.routes.set('GET /other', () => htmlPage(hydratable(html.replace(/<h1>.*<.h1>/, ''), props)));
    });

    it('stands there before the script does', () => {
      expect(html).toContain(`amount="${oak.priceCents}"`);
      expect(html).toContain(`cart-url="/checkout/financing?sku=${oak.sku}"`);
    });

    it('takes it over, nothing does not match, and it works as well', async () => {
      const { page, complaints } = await givenVisitor(browser);
      await page.goto(`${shop.url}/product`);
      await expectRecipeToWork(page, shop);
      // That Lit checks more in development is no news.
      expect(complaints.filter((complaint) => !complaint.includes('Lit is in dev mode'))).toEqual([]);
    });

    it('would say so if something did not match', async () => {
      const { page, complaints } = await givenVisitor(browser);
      await page.goto(`${shop.url}/other`);
      await expect.poll(() => complaints.join(' ')).toMatch(/hydrat/i);
    });
  });
});

function serve({ routes }: RecipeShop, files: Built): void {
  for (const [path, content] of files) {
    const type = path.endsWith('.html') ? 'text/html' : 'text/javascript';
    routes.set(`GET ${path}`, () => new Response(content, { headers: { 'content-type': type } }));
  }
}

/** The same document around it as the recipe's `index.html` has. */
const hydratable = (html: string, props: PageProps): string => `<!doctype html>
<html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${props.serviceUrl}/widget/v1/reserve.css">
<script type="application/json" id="props">${JSON.stringify(props)}</script></head>
<body><div id="app">${html}</div><script type="module" src="/hydrate.js"></script></body></html>`;
