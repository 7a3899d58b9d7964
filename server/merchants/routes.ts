import Router from '@koa/router';
import type { Readable } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { findLogo } from './store.ts';

/** One year, the longest that caches keep a file. */
const MAX_AGE_SECONDS = 31_536_000;

/** The logos of merchants, for their checkout pages and e-mails. Their names change with their content. */
export function brandRoutes({ query }: Readable): Router {
  const router = new Router();

  router.get('/brand/logo/:name', async (ctx) => {
    const { name = '' } = ctx.params;
    const content = /^[\da-f]{32}\.(png|jpg|webp)$/.test(name) ? await findLogo(query, name) : undefined;
    if (content === undefined) throw new ServiceError('unknown-path', `There is nothing at ${ctx.path}`);
    ctx.set('cache-control', `public, max-age=${MAX_AGE_SECONDS}, immutable`);
    // E-mails show it on other sites.
    ctx.set('cross-origin-resource-policy', 'cross-origin');
    ctx.type = name.slice(name.lastIndexOf('.'));
    ctx.body = content;
  });

  return router;
}
