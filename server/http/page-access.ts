import type { Middleware } from 'koa';
import type { Query, Readable } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { matchesOrigin, isKnownOrigin } from '../merchants/merchants.ts';
import { findMerchantByKey, type MerchantRow } from '../merchants/store.ts';
import type { Mode } from '../mode.ts';

/** What of an answer a page may read beside its body. */
const EXPOSED = 'retry-after, x-request-id';

/** For how long a browser need not ask again whether a page may send JSON: as long as any of them remembers. */
const PREFLIGHT_SECONDS = 86_400;

/**
 * Lets pages read what they are answered, refusals included: pages of an origin that any merchant has registered, since who is
 * meant may stand in a body that could not be read. Whose they are is for the route to say.
 */
export function answerPages({ query }: Readable, mode: Mode): Middleware {
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
 * Rejects calls that are not of a page of any merchant, before their body is read. Stands below `answerPages`.
 *
 * @throws ServiceError `origin-not-registered`
 */
export const requirePage: Middleware = (ctx, next) => {
  if (!ctx.response.get('access-control-allow-origin')) requireRegistered(ctx.get('origin'), []);
  return next();
};

/** Answers a browser that asks whether a page may POST a type of content that needs asking. Stands below `answerPages`. */
export const answerPreflight: Middleware = (ctx) => {
  ctx.set('allow', 'OPTIONS, POST');
  if (ctx.response.get('access-control-allow-origin')) {
    ctx.set('access-control-allow-methods', 'POST');
    ctx.set('access-control-allow-headers', 'content-type');
    ctx.set('access-control-max-age', String(PREFLIGHT_SECONDS));
  }
  ctx.status = 204;
};

/** Whose page it is, by the public half of a key pair. @throws ServiceError `unauthenticated` */
export async function merchantOfKey(query: Query, key: unknown): Promise<MerchantRow> {
  const found = typeof key === 'string' && PLAUSIBLE_KEY.test(key) ? await findMerchantByKey(query, key) : undefined;
  if (!found) throw new ServiceError('unauthenticated', 'Expected `key` to be the API key of a merchant.');
  return found.merchant;
}

/** What could be one of our keys: anything else need not be looked for. */
const PLAUSIBLE_KEY = /^[\w-]{1,80}$/;

/**
 * Requires the `Origin` header of a page to be one of the merchant's origins.
 *
 * @throws ServiceError `origin-not-registered`
 */
export function requireRegistered(origin: string, registered: readonly string[]): void {
  if (matchesOrigin(origin, registered)) return;
  const came = origin === '' ? 'no Origin header' : origin.slice(0, 100);
  throw new ServiceError('origin-not-registered', `Expected a page of a registered origin, but received ${came}`);
}
