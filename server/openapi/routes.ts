import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import { renderHtml } from '../http/html.ts';
import { FOREVER_SECONDS, staticContent } from '../http/static-files.ts';
import { stylesheet } from '../http/stylesheet.ts';
import { type DocumentOptions, openApiDocument } from './document.ts';
import { packageVersion } from '../package-version.ts';
import { docsPage } from './templates/page.ts';

/** How long a reader may keep the document before asking whether it has changed. */
const MAX_AGE_SECONDS = 300;

/** No scripts, our own style sheet. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The description of the merchant API: for programs at `/openapi.json`, for people at `/docs`. */
export function openApiRoutes(options: Omit<DocumentOptions, 'version'>): Router {
  const router = new Router();
  const document = once(() => openApiDocument({ ...options, version: packageVersion() }));
  const json = once(() => staticContent(Buffer.from(JSON.stringify(document())), '/openapi.json'));

  router.get('/openapi.json', (ctx) => {
    ctx.set('access-control-allow-origin', '*');
    json().send(ctx, MAX_AGE_SECONDS);
  });

  const styles = once(() => stylesheet([fileURLToPath(new URL('./docs.css', import.meta.url))], '/docs/docs.css'));
  const page = once(() => staticContent(Buffer.from(renderHtml(docsPage(document(), styles().url))), '/docs.html'));

  router.get('/docs', (ctx) => {
    ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
    page().send(ctx, MAX_AGE_SECONDS);
  });
  router.get('/docs/docs.css', (ctx) => styles().send(ctx, FOREVER_SECONDS));

  return router;
}

/** Made when it is first asked for: most processes never are. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
