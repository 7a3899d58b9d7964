import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';

/**
 * One line for each request: what was asked for, how it ended, how long it took.
 *
 * The route's pattern stands in for the path, because checkout links are secrets and paths can hold them; queries,
 * headers and bodies are never logged.
 */
export function requestLog(log: Logger): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    ctx.set('x-request-id', requestId);
    try {
      await next();
    } finally {
      const route = (ctx as { _matchedRoute?: unknown })._matchedRoute;
      log.info({
        requestId,
        method: ctx.method,
        route: typeof route === 'string' ? route : 'other',
        status: ctx.status,
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
      });
    }
  };
}
