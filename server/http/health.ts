import { setTimeout as delay } from 'node:timers/promises';
import Router from '@koa/router';
import type { Database } from '../db/database.ts';
import type { State } from './context.ts';

/** Timeout of the readiness check of the database. */
const TIMEOUT_MS = 3_000;

/** Time for which a result of the readiness check is used, because anyone can ask for it. */
const CACHE_MS = 1_000;

/** Liveness and readiness checks for operators. */
export function healthRoutes(database: Pick<Database, 'isMigrated' | 'isWritable'>, timeoutMs = TIMEOUT_MS): Router<State> {
  const router = new Router<State>();
  /** The check in progress, or the latest one until its result expires. */
  let check: Promise<boolean> | undefined;

  const checkDatabase = async (): Promise<boolean> => {
    const timeout = delay(timeoutMs, false, { ref: false });
    const isUsable = async () => (await database.isMigrated()) && (await database.isWritable());
    const isReady = await Promise.race([isUsable().catch(() => false), timeout]);
    setTimeout(() => (check = undefined), CACHE_MS).unref();
    return isReady;
  };

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'alive' };
  });

  router.get('/readyz', async (ctx) => {
    const isReady = await (check ??= checkDatabase());
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? 'ready' : 'the database cannot be reached or written, or is not migrated' };
  });

  return router;
}
