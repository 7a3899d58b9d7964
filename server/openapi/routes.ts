import Router from '@koa/router';
import { staticContent } from '../http/static-files.ts';
import { type DocumentOptions, openApiDocument } from './document.ts';
import { packageVersion } from './version.ts';

/** How long a reader may keep the document before asking whether it has changed. */
const MAX_AGE_SECONDS = 300;

/** The description of the merchant API: for programs at `/openapi.json`, for people at `/docs`. */
export function openApiRoutes(options: Omit<DocumentOptions, 'version'>): Router {
  const router = new Router();
  const document = once(() => openApiDocument({ ...options, version: packageVersion() }));
  const json = once(() => staticContent(Buffer.from(JSON.stringify(document())), '/openapi.json'));

  router.get('/openapi.json', (ctx) => {
    ctx.set('access-control-allow-origin', '*');
    json().send(ctx, MAX_AGE_SECONDS);
  });

  return router;
}

/** Made when it is first asked for: most processes never are. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
