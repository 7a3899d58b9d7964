import Router from '@koa/router';
import { accentStyles } from '../../shared/accent.ts';
import type { Readable } from '../db/database.ts';
import { findLogo } from './store.ts';

/** One year is the longest that caches keep a file. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** The logos and accent colors of merchants, for their checkout pages and e-mails. The address of each changes with its content. Others are unknown paths. */
export function brandRoutes({ query }: Readable): Router {
  const router = new Router();

  router.get('/brand/logo/:name', async (ctx) => {
    const { name = '' } = ctx.params;
    const content = /^[\da-f]{32}\.(png|jpg|webp)$/.test(name) ? await findLogo(query, name) : undefined;
    if (content === undefined) return;
    ctx.set('cache-control', CACHE_CONTROL);
    // E-mails show it on other sites.
    ctx.set('cross-origin-resource-policy', 'cross-origin');
    ctx.type = name.slice(name.lastIndexOf('.'));
    ctx.body = content;
  });

  // A separate style sheet, because the content security policy of the pages allows no inline styles.
  router.get('/brand/accent/:name', (ctx) => {
    const [, color] = /^([\da-f]{6})\.css$/.exec(ctx.params['name'] ?? '') ?? [];
    if (color === undefined) return;
    ctx.set('cache-control', CACHE_CONTROL);
    ctx.set('cross-origin-resource-policy', 'same-origin');
    ctx.type = 'css';
    ctx.body = accentStyles(`#${color}`);
  });

  return router;
}
