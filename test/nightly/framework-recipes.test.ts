/** The recipes for frameworks: each is built like a shop and used in a browser with a real service. */
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProject } from '../support/process.ts';
import { startBrowser, openPage } from '../support/browser.ts';
import { startService } from '../support/service.ts';
import { startRecipeShop, htmlPage, type RecipeShop } from '../recipes/recipe-shop.ts';
import { expectRecipeToWork, oak, product } from '../recipes/recipe-page.ts';
import type { PageProps } from './hydrated/props.ts';
import { createProject } from './project.ts';
import { buildHydration, type BuiltFiles, buildRecipe, buildServer, type RecipeBuild } from './recipe-builds.ts';

interface Framework {
  recipe: string;
  server: string;
  client: string;
  /** Names of the packages to use, by the import names of the recipe. */
  replaced?: Record<string, string>;
}

const built: Framework[] = [
  { recipe: 'react-19', server: 'react-19-server.tsx', client: 'react-19-client.tsx' },
  {
    recipe: 'react-18',
    server: 'react-18-server.tsx',
    client: 'react-18-client.tsx',
    replaced: { react: 'react-18', 'react-dom': 'react-dom-18' },
  },
  { recipe: 'vue', server: 'vue-server.ts', client: 'vue-client.ts' },
  { recipe: 'svelte', server: 'svelte-server.ts', client: 'svelte-client.ts' },
];

/** The build needs Next.js itself, see `next/next.test.ts`. */
const next: Framework = { recipe: 'next', server: 'next-server.tsx', client: 'next-client.tsx' };

await buildProject();
const [service, browser] = await Promise.all([startService(), startBrowser()]);

describe.each(built)('The recipe for $recipe', ({ recipe, replaced }) => {
  it('updates the estimate with the variant, dispatches events and opens the checkout', async () => {
    const { shop, building } = await createProduct(recipe, replaced);
    serve(shop, await buildRecipe(building));
    const { page, problems } = await openPage(browser);
    await page.goto(`${shop.url}/index.html`);
    await expectRecipeToWork(page, shop);
    expect(problems).toEqual([]);
  });
});

describe.each([...built, next])('The server-rendered recipe for $recipe', ({ recipe, replaced, server, client }) => {
  let shop: RecipeShop;
  let html: string;
  beforeAll(async () => {
    const given = await createProduct(recipe, replaced);
    shop = given.shop;
    const { render } = await buildServer<{ render: (props: PageProps) => string | Promise<string> }>(given.building, server);
    html = await render(given.props);
    serve(shop, await buildHydration(given.building, client));
    shop.routes.set('GET /product', () => htmlPage(hydratable(html, given.props)));
    shop.routes.set('GET /other', () => htmlPage(hydratable(html.replace(/<h1>.*<.h1>/, ''), given.props)));
  });

  it('contains the button with its attributes', () => {
    expect(html).toContain(`amount="${oak.priceCents}"`);
    expect(html).toContain(`cart-url="/checkout/financing?sku=${oak.sku}"`);
  });

  it('hydrates without a mismatch and works', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shop.url}/product`);
    await expectRecipeToWork(page, shop);
    // Lit's development build logs a warning.
    expect(problems.filter((problem) => !problem.includes('Lit is in dev mode'))).toEqual([]);
  });

  it('reports a hydration mismatch if the page was changed', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shop.url}/other`);
    await expect.poll(() => problems.join(' ')).toMatch(/hydrat/i);
  });
});

async function createProduct(recipe: string, replaced: Framework['replaced']) {
  const shop = await startRecipeShop(service);
  const { apiKey } = shop.merchant;
  const props: PageProps = { product, serviceUrl: service.publicUrl, apiKey };
  const env = { VITE_FAIRTERM_URL: service.publicUrl, VITE_FAIRTERM_KEY: apiKey };
  const building: RecipeBuild = { project: createProject(replaced), recipe, env };
  return { shop, props, building };
}

function serve({ routes }: RecipeShop, files: BuiltFiles): void {
  for (const [path, content] of files) {
    const type = path.endsWith('.html') ? 'text/html' : 'text/javascript';
    routes.set(`GET ${path}`, () => new Response(content, { headers: { 'content-type': type } }));
  }
}

/** Renders a document like the recipe's `index.html`, with the rendered page and its properties. */
const hydratable = (html: string, props: PageProps): string => `<!doctype html>
<html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${props.serviceUrl}/widget/v1/reserve.css">
<script type="application/json" id="props">${JSON.stringify(props)}</script></head>
<body><div id="app">${html}</div><script type="module" src="/hydrate.js"></script></body></html>`;
