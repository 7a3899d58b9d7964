import { html } from '@lit-labs/ssr';
import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import type { State } from '../context.ts';
import { type Html, renderHtml, sendCompressed } from '../pages/html.ts';
import { createStylesheet, FOREVER_SECONDS, staticContent, staticFile } from '../static-files.ts';
import { packageVersion } from '../../base/package-version.ts';
import { guideImages, guideList, guidePage, guidesIn, loadGuides, sectionsOf, linkList } from './docs/guides.ts';
import { MAX_QUERY_LENGTH, type Site, docsPage } from './docs/layout.ts';
import { readRecipe, recipeHref, recipeNames, recipePage } from './docs/recipes.ts';
import { referencePage, referenceSections } from './docs/reference.ts';
import { createSearch, searchPage } from './docs/search.ts';
import { type DocumentOptions, openApiDocument, modeDescriptions } from './document.ts';
import { programSchema } from './program-schema.ts';

/** Cache lifetime of the document and the pages. */
const MAX_AGE_SECONDS = 300;

const STYLES = ['../pages/elements.css', './docs/docs.css'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** Allows only the stylesheet and the images of this service. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  // The search.
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Routes of the home page, the OpenAPI document, the JSON Schema of programs, and the documentation with its search. */
export function openApiRoutes(options: Omit<DocumentOptions, 'version'>, exampleProgram: object): Router<State> {
  const router = new Router<State>();
  const documentOptions = once(() => ({ ...options, version: packageVersion() }));
  const document = once(() => openApiDocument(documentOptions()));

  const serveJson = (path: string, compute: () => unknown) => {
    const file = once(() => staticContent(Buffer.from(JSON.stringify(compute())), path));
    router.get(path, (ctx) => {
      ctx.set('access-control-allow-origin', '*');
      file().send(ctx, MAX_AGE_SECONDS);
    });
  };
  serveJson('/openapi.json', document);
  serveJson('/program.schema.json', () => programSchema(exampleProgram));

  const styles = once(() => createStylesheet(STYLES, '/docs/docs.css'));
  const site = once((): Site => ({ stylesheet: styles().url, version: packageVersion() }));
  const guides = once(() => loadGuides(options));
  const search = once(() => createSearch([...guides().flatMap(sectionsOf), ...referenceSections(document())]));

  const servePage = (path: string, render: () => Html) => {
    const page = once(() => staticContent(Buffer.from(renderHtml(render())), `${path}.html`));
    router.get(path, (ctx) => {
      ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
      page().send(ctx, MAX_AGE_SECONDS);
    });
  };
  servePage('/', () => homePage(documentOptions(), styles().url));
  servePage('/docs', () => referencePage(site(), document()));
  servePage('/docs/guides', () => guideList(site(), options.mode, guides()));
  for (const { href: path } of guidesIn(options.mode)) {
    servePage(path, () => guidePage(site(), guides(), path));
  }
  for (const name of recipeNames) {
    servePage(recipeHref(name), () => recipePage(site(), name, readRecipe(name, options.publicUrl)));
  }
  router.get('/docs/search', (ctx) => {
    const query = String(ctx.query['q'] ?? '').slice(0, MAX_QUERY_LENGTH);
    ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
    ctx.type = 'html';
    sendCompressed(ctx, renderHtml(searchPage(site(), query, search()(query))));
  });
  router.get('/docs/docs.css', (ctx) => styles().send(ctx, FOREVER_SECONDS));
  for (const { url, path } of guideImages()) {
    const image = once(() => staticFile(path, '/docs/images'));
    router.get(url, (ctx) => image().send(ctx, MAX_AGE_SECONDS));
  }

  return router;
}

/** Computes a value on first use, because most processes never serve these pages. */
function once<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => (computed ??= { value: compute() }).value;
}

/** Renders the home page of the service. @param stylesheet - URL of the stylesheet. */
export function homePage({ mode, publicUrl, version }: DocumentOptions, stylesheet: string): Html {
  const main = html`<h1>Financing at checkout</h1>
    <p>This is Fairterm, the service behind a shop’s financing button, its checkout and its API. ${modeDescriptions[mode]}</p>
    <section class="card">
      <h2>For developers</h2>
      ${linkList([
        ['/docs/guides', 'Guides', 'How to integrate the button, the APIs, webhooks and lenders, with code samples.'],
        ['/docs', 'API reference', 'Every operation with its fields, errors and an example.'],
        ['/openapi.json', 'openapi.json', 'The reference as an OpenAPI 3.1 document.'],
        ['/widget/manifest.json', 'Releases of the button', 'Each of its files, with its hash for subresource integrity.'],
      ])}
      <h3>The button on a page</h3>
      <pre><code>${buttonFrom(publicUrl)}</code></pre>
    </section>
    <section class="card">
      <h2>Looking for your purchase?</h2>
      <p>Open the whole link that your shop gave you. If you no longer have it, ask the shop.</p>
    </section>`;
  return docsPage({ stylesheet, version }, { title: 'Financing at checkout', main });
}

const buttonFrom = (publicUrl: string) => `<link rel="stylesheet"
href="${publicUrl}/widget/v1/reserve.css">
<script type="module"
src="${publicUrl}/widget/v1/financing-button.js"></script>
<financing-button api-key="KEY" amount="129900"
cart-url="/checkout/financing"></financing-button>`;
