import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Database } from '../../db/database.ts';
import { callerOf } from '../../http/platform-auth.ts';
import { listPage } from './list.ts';
import type { Scope } from './scope.ts';

/**
 * The platform API.
 *
 * @param auth - `platformAuth`: says what a caller may see. Who asks for what is not there is asked for no token.
 */
export function applicationRoutes(database: Database, publicUrl: string, auth: Middleware): Router {
  const router = new Router({ prefix: '/api' });
  router.use(auth);

  router.get('/application', async (ctx) => {
    const { applications, next } = await listPage(database, ctx.query, callerOf(ctx) as Scope);
    if (next) ctx.set('link', `<${publicUrl}/api/application?${nextQuery(ctx.querystring, next)}>; rel="next"`);
    ctx.set('cache-control', 'no-store');
    ctx.body = { applications };
  });

  return router;
}

/** The same question from the end of its answer on. */
function nextQuery(querystring: string, { lastTimestamp, lastId }: { lastTimestamp: string; lastId: string }): string {
  const query = new URLSearchParams(querystring);
  query.delete('offset');
  query.set('lastTimestamp.eq', lastTimestamp);
  query.set('lastID.eq', lastId);
  return query.toString();
}
