import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import { type Html, renderHtml } from '../http/html.ts';
import { FOREVER_SECONDS, staticContent, stylesheet } from '../http/static-files.ts';
import { type DocumentOptions, openApiDocument, operationsIn } from './document.ts';
import { packageVersion } from '../package-version.ts';
import { homePage } from './docs/home.ts';
import { docsPage } from './docs/page.ts';

/** How long the document may be cached. */
const MAX_AGE_SECONDS = 300;

const STYLES = [fileURLToPath(new URL('./docs/docs.css', import.meta.url))];

/** No scripts, our own style sheet. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The home page, the OpenAPI document and the API reference. */
export function openApiRoutes(options: Omit<DocumentOptions, 'version'>): Router {
  const router = new Router();
  const described = once(() => ({ ...options, version: packageVersion() }));
  const document = once(() => openApiDocument(described()));
  const json = once(() => staticContent(Buffer.from(JSON.stringify(document())), '/openapi.json'));

  router.get('/openapi.json', (ctx) => {
    ctx.set('access-control-allow-origin', '*');
    json().send(ctx, MAX_AGE_SECONDS);
  });

  const styles = once(() => stylesheet(STYLES, '/docs/docs.css'));
  const servePage = (path: string, render: () => Html) => {
    const page = once(() => staticContent(Buffer.from(renderHtml(render())), `${path}.html`));
    router.get(path, (ctx) => {
      ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
      page().send(ctx, MAX_AGE_SECONDS);
    });
  };
  servePage('/', () => homePage(described(), styles().url));
  servePage('/docs', () => docsPage(document(), operationsIn(options.mode), styles().url));
  router.get('/docs/docs.css', (ctx) => styles().send(ctx, FOREVER_SECONDS));

  return router;
}

/** Computes a value on first use: most processes never serve these pages. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
