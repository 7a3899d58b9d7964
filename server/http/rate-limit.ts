import type { Context, Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { clientOf } from './client-address.ts';
import type { Limiter } from './rate.ts';

/** Lets each client's address through as often as `limiter` allows. @throws ServiceError `rate-limited` (decisions/0026) */
export function limitByAddress(limiter: Limiter, trustProxy: boolean): Middleware {
  return (ctx, next) => {
    requireWithin(ctx, limiter, clientOf(ctx.req, trustProxy));
    return next();
  };
}

/** Counts one of `name`, and says when to come back if it is one too many. @throws ServiceError `rate-limited` */
export function requireWithin(ctx: Context, limiter: Limiter, name: string): void {
  const waitMs = limiter.take(name);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  ctx.set('retry-after', String(seconds));
  throw new ServiceError('rate-limited', `Too many requests: expected the next one in ${seconds} s or later.`);
}
