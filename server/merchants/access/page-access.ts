import type { Query, Readable } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { matchesOrigin, isKnownOrigin } from '../merchants.ts';
import { findMerchantByKey, type Merchant } from '../store.ts';
import type { Mode } from '../../base/mode.ts';
import type { Middleware } from '../../http/context.ts';

/** Response headers that pages may read. */
const EXPOSED = 'retry-after, x-request-id';

/** Longest time for which any browser caches a preflight response. */
const PREFLIGHT_SECONDS = 86_400;

/**
 * Allows pages of any merchant's registered origins to read the response, including errors. Does not check whether the origin belongs
 * to the merchant of the request, which may be in a body that cannot be parsed: routes check that.
 */
export function allowPages({ query }: Readable, mode: Mode): Middleware {
  return async (ctx, next) => {
    ctx.vary('origin');
    const origin = ctx.get('origin');
    if (origin && (await isKnownOrigin(query, origin, mode))) {
      ctx.set('access-control-allow-origin', origin);
      ctx.set('access-control-expose-headers', EXPOSED);
    }
    await next();
  };
}

/**
 * Rejects requests of other origins before their body is read. Runs after `allowPages`.
 *
 * @throws ServiceError `origin-not-registered`
 */
export const requirePage: Middleware = (ctx, next) => {
  if (!ctx.response.get('access-control-allow-origin')) requireRegistered(ctx.get('origin'), []);
  return next();
};

/** Responds to CORS preflight requests. Runs after `allowPages`. */
export const respondToPreflight: Middleware = (ctx) => {
  ctx.set('allow', 'OPTIONS, POST');
  if (ctx.response.get('access-control-allow-origin')) {
    ctx.set('access-control-allow-methods', 'POST');
    ctx.set('access-control-allow-headers', 'content-type');
    ctx.set('access-control-max-age', String(PREFLIGHT_SECONDS));
  }
  ctx.status = 204;
};

/** Returns the merchant of a public API key. @throws ServiceError `unauthenticated` */
export async function merchantOfKey(query: Query, key: unknown): Promise<Merchant> {
  const found = typeof key === 'string' && API_KEY.test(key) ? await findMerchantByKey(query, key) : undefined;
  if (!found) throw new ServiceError('unauthenticated', 'Expected `key` to be the API key of a merchant.');
  return found.merchant;
}

/** Values that do not match cannot be API keys and are not looked up. */
const API_KEY = /^[\w-]{1,80}$/;

/**
 * Requires the `Origin` header of a page to be one of the merchant's origins.
 *
 * @throws ServiceError `origin-not-registered`
 */
export function requireRegistered(origin: string, registered: readonly string[]): void {
  if (matchesOrigin(origin, registered)) return;
  const received = origin === '' ? 'no Origin header' : origin.slice(0, 100);
  throw new ServiceError('origin-not-registered', `Expected a page of a registered origin, but received ${received}`);
}
