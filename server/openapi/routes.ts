import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import type { Middleware, State } from '../http/context.ts';
import { type Html, renderHtml } from '../http/html.ts';
import { createStylesheet, FOREVER_SECONDS, sendCacheable, staticContent, staticFile } from '../http/static-files.ts';
import { packageVersion } from '../package-version.ts';
import { guideImages, guideList, guidePage, guidePaths, loadGuides } from './docs/guides.ts';
import { homePage } from './docs/home.ts';
import type { Site } from './docs/layout.ts';
import { callsOf, referencePage } from './docs/reference.ts';
import { searchEntries, searchPage } from './docs/search.ts';
import { type DocumentOptions, openApiDocument, operationsIn } from './document.ts';
import { programSchema } from './program-schema.ts';

/** Cache lifetime of the document and the pages. */
const MAX_AGE_SECONDS = 300;

const STYLES = [fileURLToPath(new URL('./docs/docs.css', import.meta.url))];
const SCRIPT = fileURLToPath(new URL('./docs/docs.js', import.meta.url));

/** Allows only the stylesheet, script, images and search form of this service. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Routes of the home page, the OpenAPI document, the JSON Schema of programs, the API reference and the guides.
 *
 * @param limitSearch - Limits the searches of a client, because results are rendered for each request.
 */
export function openApiRoutes(options: Omit<DocumentOptions, 'version'>, limitSearch: Middleware): Router<State> {
  const router = new Router<State>();
  const documentOptions = once(() => ({ ...options, version: packageVersion() }));
  const document = once(() => openApiDocument(documentOptions()));
  const json = once(() => staticContent(Buffer.from(JSON.stringify(document())), '/openapi.json'));

  router.get('/openapi.json', (ctx) => {
    ctx.set('access-control-allow-origin', '*');
    json().send(ctx, MAX_AGE_SECONDS);
  });

  const schema = once(() => staticContent(Buffer.from(JSON.stringify(programSchema())), '/program.schema.json'));
  router.get('/program.schema.json', (ctx) => {
    ctx.set('access-control-allow-origin', '*');
    schema().send(ctx, MAX_AGE_SECONDS);
  });

  const styles = once(() => createStylesheet(STYLES, '/docs/docs.css'));
  const script = once(() => staticFile(SCRIPT, '/docs'));
  const site = once((): Site => ({ stylesheet: styles().url, script: script().url, version: packageVersion() }));
  const guides = once(loadGuides);
  const calls = once(() => callsOf(document(), operationsIn(options.mode)));
  const entries = once(() => searchEntries(guides(), document(), calls()));

  const servePage = (path: string, render: () => Html) => {
    const page = once(() => staticContent(Buffer.from(renderHtml(render())), `${path}.html`));
    router.get(path, (ctx) => {
      ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
      page().send(ctx, MAX_AGE_SECONDS);
    });
  };
  servePage('/', () => homePage(documentOptions(), styles().url));
  servePage('/docs', () => referencePage(site(), document(), calls()));
  servePage('/docs/guides', () => guideList(site(), guides()));
  for (const path of guidePaths) {
    servePage(path, () =>
      guidePage(
        site(),
        guides(),
        guides().find(({ href }) => href === path)!,
      ),
    );
  }
  router.get('/docs/search', limitSearch, (ctx) => {
    const query = new URLSearchParams(ctx.querystring).get('q')?.trim() ?? '';
    ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
    sendCacheable(ctx, 'html', renderHtml(searchPage(site(), entries(), query)), `public, max-age=${MAX_AGE_SECONDS}`);
  });
  router.get('/docs/docs.css', (ctx) => styles().send(ctx, FOREVER_SECONDS));
  router.get('/docs/docs.js', (ctx) => script().send(ctx, FOREVER_SECONDS));
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
