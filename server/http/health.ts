import Router from '@koa/router';
import type { Database } from '../db/database.ts';

/** For whoever keeps the service running: is it alive, and can it do its work. */
export function healthRoutes(database: Database): Router {
  const router = new Router();

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'alive' };
  });

  router.get('/readyz', async (ctx) => {
    const isReady = await database.isMigrated().catch(() => false);
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? 'ready' : 'the database is out of reach or not migrated' };
  });

  return router;
}
