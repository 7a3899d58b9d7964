import { setTimeout as delay } from 'node:timers/promises';
import Router from '@koa/router';
import type { Database } from '../db/database.ts';

/** Timeout of the readiness check of the database. */
const TIMEOUT_MS = 3_000;

/** Liveness and readiness checks for operators. */
export function healthRoutes(database: Pick<Database, 'isMigrated'>, patienceMs = TIMEOUT_MS): Router {
  const router = new Router();

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'alive' };
  });

  router.get('/readyz', async (ctx) => {
    const patience = delay(patienceMs, false, { ref: false });
    const isReady = await Promise.race([database.isMigrated().catch(() => false), patience]);
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? 'ready' : 'the database is out of reach or not migrated' };
  });

  return router;
}
