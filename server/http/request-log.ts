import { randomUUID } from 'node:crypto';
import type { RouterContext } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';

/**
 * Logs one line for each request, with the id that its response has in `x-request-id`.
 *
 * Logs the pattern of the route instead of the path, because paths can contain secrets, such as checkout links. Queries, headers and
 * bodies are never logged.
 */
export function requestLog(log: Logger): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    ctx.set('x-request-id', requestId);
    try {
      await next();
    } finally {
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      log.info({ requestId, method: ctx.method, route: routeOf(ctx), status: ctx.status, durationMs });
    }
  };
}

function routeOf(ctx: Context): string {
  const { _matchedRoute: route } = ctx as unknown as RouterContext;
  return typeof route === 'string' ? route : 'other';
}
