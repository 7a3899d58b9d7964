import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import { type Html, renderHtml } from '../http/html.ts';
import { FOREVER_SECONDS, staticContent } from '../http/static-files.ts';
import { stylesheet } from '../http/stylesheet.ts';
import { type DocumentOptions, openApiDocument } from './document.ts';
import { packageVersion } from '../package-version.ts';
import { docsPage } from './templates/docs.ts';
import { homePage } from './templates/home.ts';

/** How long a reader may keep the document before asking whether it has changed. */
const MAX_AGE_SECONDS = 300;

/** How its pages look: parted for whoever reads them, one file for a browser. */
const STYLES = ['frame', 'text', 'calls', 'entries', 'home'].map((name) =>
  fileURLToPath(new URL(`./styles/${name}.css`, import.meta.url)),
);

/** No scripts, our own style sheet. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** What this is, for whoever opens the address of the service; the description of the API, for programs and for people. */
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
  servePage('/docs', () => docsPage(document(), styles().url));
  router.get('/docs/docs.css', (ctx) => styles().send(ctx, FOREVER_SECONDS));

  return router;
}

/** Made when it is first asked for: most processes never are. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
