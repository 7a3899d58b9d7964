import { html } from '@lit-labs/ssr';
import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import type { Middleware, State } from '../context.ts';
import { type Html, renderHtml, sendCompressed } from '../pages/html.ts';
import { createStylesheet, FOREVER_SECONDS, staticContent, type StaticFile, staticFile } from '../static-files.ts';
import { packageVersion } from '../../base/package-version.ts';
import { readColors } from './docs/colors.ts';
import { guideImages, linkList } from './docs/guides.ts';
import { docsPage, MAX_QUERY_LENGTH, SAMPLE_URL, type Site } from './docs/layout.ts';
import { readDocumentation } from './docs/pages.ts';
import { createSearch, searchPage } from './docs/search.ts';
import { type DocumentOptions, openApiDocument, modeDescriptions } from './document.ts';
import { programSchema } from './program-schema.ts';

/** Cache lifetime of the document and the pages. */
const MAX_AGE_SECONDS = 300;

const STYLES = ['../pages/elements.css', './docs/docs.css'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

const SCRIPT = fileURLToPath(new URL('./docs/docs.js', import.meta.url));

/** Allows only the script, the stylesheet and the images of this service, and no connections. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
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
  const document = once(() => openApiDocument({ ...options, version: packageVersion() }));

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
  const script = once(() => staticFile(SCRIPT, '/docs'));
  const site = once((): Site => ({
    stylesheet: styles().url,
    script: script().url,
    version: packageVersion(),
    color: readColors(),
  }));
  const documentation = once(() => readDocumentation(site(), options.mode));
  const withAddress = (text: string) => text.replaceAll(SAMPLE_URL, options.publicUrl);
  const search = once(() => {
    const { sections } = documentation();
    return createSearch(sections.map((section) => ({ ...section, text: withAddress(section.text) })));
  });

  router.get('/docs/search', (ctx) => {
    const query = String(ctx.query['q'] ?? '').slice(0, MAX_QUERY_LENGTH);
    ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
    ctx.type = 'html';
    sendCompressed(ctx, renderHtml(searchPage(site(), query, search()(query))));
  });
  router.get('/docs/docs.css', (ctx) => styles().send(ctx, FOREVER_SECONDS));
  router.get('/docs/docs.js', (ctx) => script().send(ctx, FOREVER_SECONDS));
  for (const { url, path } of guideImages()) {
    const image = once(() => staticFile(path, '/docs/images'));
    router.get(url, (ctx) => image().send(ctx, MAX_AGE_SECONDS));
  }
  const rendered = new Map<string, StaticFile>();
  const servePage: Middleware = (ctx, next) => {
    const path = ctx.path === '/' ? '/' : ctx.path.replace(/\/$/, '');
    const render = path === '/' ? () => homePage(options, site()) : documentation().pages.get(path);
    if (!render) return next();
    const page = rendered.get(path) ?? staticContent(Buffer.from(withAddress(renderHtml(render()))), `${path}.html`);
    rendered.set(path, page);
    ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
    return page.send(ctx, MAX_AGE_SECONDS);
  };
  for (const path of ['/', '/docs', '/docs/*page']) router.get(path, servePage);

  return router;
}

/** Computes a value on first use, because most processes never serve these pages. */
function once<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => (computed ??= { value: compute() }).value;
}

/** Renders the home page of the service. */
export function homePage({ mode, publicUrl }: Omit<DocumentOptions, 'version'>, site: Site): Html {
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
  return docsPage(site, { title: 'Financing at checkout', main });
}

const buttonFrom = (publicUrl: string) => `<link rel="stylesheet"
href="${publicUrl}/widget/v1/reserve.css">
<script type="module"
src="${publicUrl}/widget/v1/financing-button.js"></script>
<financing-button api-key="KEY" amount="129900"
cart-url="/checkout/financing"></financing-button>`;
