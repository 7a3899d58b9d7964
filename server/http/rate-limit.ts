import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import type { RateLimits } from '../config/config.ts';
import { ServiceError } from '../errors.ts';
import { clientNetworks } from './client-address.ts';
import { refusalIn } from './merchant-errors.ts';
import { limiter, type Limiter } from './rate.ts';

/** How often each client may call, as this process has counted it (decisions/0026). */
export type RateLimiters = { [Limit in keyof RateLimits]: Limiter };

/** @param nowMs - A clock that does not go back, unlike the sandbox's, which callers may move. */
export function rateLimiters(limits: RateLimits, nowMs: () => number): RateLimiters {
  return {
    cartsPerAddress: limiter(limits.cartsPerAddress, nowMs),
    cartsPerMerchant: limiter(limits.cartsPerMerchant, nowMs),
    readsPerAddress: limiter(limits.readsPerAddress, nowMs),
    pagesPerAddress: limiter(limits.pagesPerAddress, nowMs),
    failedLoginsPerAddress: limiter(limits.failedLoginsPerAddress, nowMs),
  };
}

/** Limits how often a client's address may call. @throws ServiceError `rate-limited` */
export function limitByAddress(limit: Limiter, trustProxy: boolean): Middleware {
  return (ctx, next) => {
    requireWithin(ctx, limit, ...clientNetworks(ctx.req, trustProxy));
    return next();
  };
}

/**
 * Limits how often a client's address may call without authenticating. Stands above authentication, which is always tried: a request
 * with right credentials is neither counted nor rejected, whatever else came from its address.
 *
 * @throws ServiceError `rate-limited` - in place of what the excess request was rejected with.
 */
export function limitFailedLogins(limit: Limiter, trustProxy: boolean): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = refusalIn(thrown);
      const isFailedLogin = error && error.refusal !== 'issuer-unavailable' && !isAuthenticated(ctx);
      if (isFailedLogin) requireWithin(ctx, limit, ...clientNetworks(ctx.req, trustProxy));
      throw thrown;
    }
  };
}

function isAuthenticated({ state }: Pick<Context, 'state'>): boolean {
  return state['merchant'] !== undefined || state['caller'] !== undefined;
}

/**
 * Starts one call in each turn of the event loop, so that other calls are answered between expensive ones: without it, those that
 * arrive together run together, and a merchant waits for all of them (`test/bench/anonymous-requests.bench.mjs`).
 */
export function takeTurns(): Middleware {
  let lastTurn = Promise.resolve();
  return async (_ctx, next) => {
    lastTurn = lastTurn.then(() => nextTurn());
    await lastTurn;
    await next();
  };
}

/**
 * Counts one call of `names` (see `Limiter`).
 *
 * @throws ServiceError `rate-limited` - it is one too many; `Retry-After` has the seconds to wait.
 */
export function requireWithin(ctx: Pick<Context, 'set'>, limit: Limiter, ...names: readonly string[]): void {
  const waitMs = limit.take(...names);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  ctx.set('retry-after', String(seconds));
  throw new ServiceError('rate-limited', `Too many requests: expected the next one in ${seconds} s or later.`);
}
