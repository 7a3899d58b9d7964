import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { type Html, renderHtml } from '../http/html.ts';
import { createStylesheet, FOREVER_SECONDS, sendCacheable, staticContent, staticFile } from '../http/static-files.ts';
import { packageVersion } from '../package-version.ts';
import { guideImages, guideList, guidePage, guidePaths, loadGuides } from './docs/guides.ts';
import { homePage } from './docs/home.ts';
import type { Site } from './docs/layout.ts';
import { callsOf, referencePage } from './docs/reference.ts';
import { searchEntries, searchPage } from './docs/search.ts';
import { type DocumentOptions, openApiDocument, operationsIn } from './document.ts';

/** How long the document and the pages may be cached. */
const MAX_AGE_SECONDS = 300;

const STYLES = [fileURLToPath(new URL('./docs/docs.css', import.meta.url))];
const SCRIPT = fileURLToPath(new URL('./docs/docs.js', import.meta.url));

/** Nothing but our own stylesheet, script, pictures and search form. */
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
 * The home page, the OpenAPI document, the API reference and the guides.
 *
 * @param limitSearch - Limits how often a client may search, because results are rendered for each request.
 */
export function openApiRoutes(options: Omit<DocumentOptions, 'version'>, limitSearch: Middleware): Router {
  const router = new Router();
  const described = once(() => ({ ...options, version: packageVersion() }));
  const document = once(() => openApiDocument(described()));
  const json = once(() => staticContent(Buffer.from(JSON.stringify(document())), '/openapi.json'));

  router.get('/openapi.json', (ctx) => {
    ctx.set('access-control-allow-origin', '*');
    json().send(ctx, MAX_AGE_SECONDS);
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
  servePage('/', () => homePage(described(), styles().url));
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
  for (const { address, path } of guideImages()) {
    const image = once(() => staticFile(path, '/docs/images'));
    router.get(address, (ctx) => image().send(ctx, MAX_AGE_SECONDS));
  }

  return router;
}

/** Computes a value on first use: most processes never serve these pages. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
