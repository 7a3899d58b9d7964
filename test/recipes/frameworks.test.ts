/** The recipes for pages built with a framework, each built as a shop builds it, in a real browser, before a real service. */
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildWidget } from '../support/built.ts';
import { givenChromium, givenVisitor } from '../support/chromium.ts';
import { givenService, type TestService } from '../support/service.ts';
import { type Aliases, buildHydration, buildRecipe, buildServer, type Building, type Built } from './built.ts';
import { givenRecipeShop, htmlPage, type RecipeShop } from './given-shop.ts';
import type { PageProps } from './hydrated/props.ts';
import { expectRecipeToWork, oak, product } from './works.ts';

interface Framework {
  recipe: string;
  server: string;
  client: string;
  /** Other packages under the names that it imports. */
  aliases?: Aliases;
}

const built: Framework[] = [
  { recipe: 'react-19', server: 'react-19-server.tsx', client: 'react-19-client.tsx' },
  {
    recipe: 'react-18',
    server: 'react-18-server.tsx',
    client: 'react-18-client.tsx',
    aliases: { react: 'react-18', 'react-dom': 'react-dom-18' },
  },
  { recipe: 'vue', server: 'vue-server.ts', client: 'vue-client.ts' },
  { recipe: 'svelte', server: 'svelte-server.ts', client: 'svelte-client.ts' },
];

/** Built by Next.js alone: `npm run test:next`. */
const next: Framework = { recipe: 'next', server: 'next-server.tsx', client: 'next-client.tsx' };

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  await buildWidget();
  [service, browser] = await Promise.all([givenService(), givenChromium()]);
  // Longer than a hook may take: it may have to be built.
}, 120_000);

describe.each(built)('The recipe for $recipe', ({ recipe, aliases = {} }) => {
  it('shows the price, follows the variant, is heard, and its button leads to the checkout', async () => {
    const { shop, building } = await givenProduct(recipe, aliases);
    serve(shop, await buildRecipe(building));
    const { page, complaints } = await givenVisitor(browser);
    await page.goto(`${shop.url}/index.html`);
    await expectRecipeToWork(page, shop);
    expect(complaints).toEqual([]);
  });
});

describe.each([...built, next])(
  'The recipe for $recipe, on a page that a server rendered',
  ({ recipe, aliases = {}, server, client }) => {
    let shop: RecipeShop;
    let html: string;
    beforeAll(async () => {
      const given = await givenProduct(recipe, aliases);
      shop = given.shop;
      const { render } = await buildServer<{ render: (props: PageProps) => string | Promise<string> }>(given.building, server);
      html = await render(given.props);
      serve(shop, await buildHydration(given.building, client));
      shop.routes.set('GET /product', () => htmlPage(hydratable(html, given.props)));
      shop.routes.set('GET /other', () => htmlPage(hydratable(html.replace(/<h1>.*<.h1>/, ''), given.props)));
    });

    it('stands there before the script does', () => {
      expect(html).toContain(`amount="${oak.priceCents}"`);
      expect(html).toContain(`cart-url="/checkout/financing?sku=${oak.sku}"`);
    });

    it('is taken over, nothing does not match, and it works as well', async () => {
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
  },
);

async function givenProduct(recipe: string, aliases: Aliases) {
  const shop = await givenRecipeShop(service);
  const { apiKey } = shop.merchant;
  const props: PageProps = { product, serviceUrl: service.publicUrl, apiKey };
  const building: Building = { recipe, aliases, env: { VITE_FAIRTERM_URL: service.publicUrl, VITE_FAIRTERM_KEY: apiKey } };
  return { shop, props, building };
}

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
