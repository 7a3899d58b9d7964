import { randomUUID } from 'node:crypto';
import type { RouterContext } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { callerFieldsOf } from './caller.ts';

/**
 * Logs one line for each request, with the id that its response has in `x-request-id`, and with its caller if it was authenticated.
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
      const { method, status } = ctx;
      log.info({ requestId, method, route: routeOf(ctx), status, durationMs, ...callerFieldsOf(ctx) });
    }
  };
}

function routeOf(ctx: Context): string {
  const { _matchedRoute: route } = ctx as unknown as RouterContext;
  return typeof route === 'string' ? route : 'other';
}
