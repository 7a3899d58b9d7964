import { hash } from 'node:crypto';
import Router from '@koa/router';
import { LRUCache } from 'lru-cache';
import { mask } from 'superstruct';
import type { CartOptions, CreateCartRequest } from '../../../../shared/wire/cart.ts';
import { type OpenedCart, OpenCartRequest } from '../../../../shared/wire/storefront.ts';
import { programDocument } from '../../../lending/programs/programs.ts';
import { CREATED_BY_PAGE, createCart } from '../carts.ts';
import { checkoutUrl } from '../present.ts';
import type { Cart } from '../store.ts';
import { ServiceError } from '../../../base/errors.ts';
import type { Database, Query, Readable } from '../../../db/database.ts';
import { type BodyLimits, jsonBody } from '../../../http/body.ts';
import type { Middleware, State } from '../../../http/context.ts';
import { staticContent, type StaticFile } from '../../../http/static-files.ts';
import { respondOnce, databaseOf } from '../../../merchants/idempotency/middleware.ts';
import { limitByAddress, type RateLimiters, requireWithin } from '../../../http/rate-limit.ts';
import { isKnownOrigin, matchesOrigin, pageOriginsOf } from '../../../merchants/merchants.ts';
import { callbacksOf, findMerchantByKey, type CallingMerchant } from '../../../merchants/store.ts';
import type { Mode } from '../../../base/mode.ts';
import type { CallbackRules } from '../../../messages/callback-address.ts';
import type { Clock } from '../../../base/time.ts';

/** Pages request the programs at most once a minute, and use the cached response in the meantime. */
const PROGRAMS_CACHE = 'public, max-age=60, stale-while-revalidate=86400';

/** Compresses a document in 2 ms, for 7 % more bytes than the best quality, which takes 40 ms. */
const BROTLI_QUALITY = 5;

/** Enough for about fifty items. Limited, because callers without credentials can create carts, which are stored. */
const CART_LIMITS: BodyLimits = { maxBytes: 16_384, allowCompression: true };

/** Separates the idempotency keys of pages from those of the merchant API, which contain no line breaks. */
const PAGE_KEY_PREFIX = 'storefront\n';

export interface StorefrontOptions {
  database: Database;
  clock: Clock;
  /** The system clock, for the expiry of idempotency keys. */
  realClock: Clock;
  publicUrl: string;
  limits: RateLimiters;
  callbacks: CallbackRules;
  mode: Mode;
}

/** The endpoints for shop pages, which use the API key without the secret. */
export function storefrontRoutes({
  database,
  clock,
  realClock,
  publicUrl,
  limits,
  callbacks,
  mode,
}: StorefrontOptions): Router<State> {
  const router = new Router<State>();
  /** Programs documents by their hash. Merchants with the same programs share one. */
  const programFiles = new LRUCache<string, StaticFile>({ max: 500 });
  const asPage = allowPages(database, mode);
  const limitReads = limitByAddress(limits.readsPerAddress);
  const limitCarts = limitByAddress(limits.cartsPerAddress);

  router.post('/storefront/carts', asPage, limitCarts, requirePage, jsonBody(CART_LIMITS), async (ctx) => {
    const { key, idempotencyKey, options } = mask(ctx.request.body, OpenCartRequest);
    const merchant = await merchantOfKey(database.query, key);
    const origins = await pageOriginsOf(database.query, merchant.id, mode);
    requireRegistered(ctx.get('origin'), origins);
    requireWithin(ctx, limits.cartsPerMerchant, merchant.id);

    const openCart = async () => {
      const callbackUrls = options.callbackUrl === undefined ? [] : await callbacksOf(database.query, merchant.id);
      const rules = { callbacks, page: { origins, callbackUrls } };
      const { cart } = await createCart(databaseOf(ctx), merchant, createCartRequest(options), clock.now(), rules);
      ctx.body = presentOpenedCart(cart, publicUrl);
    };
    await respondOnce(ctx, openCart, {
      database,
      clock: realClock,
      merchantId: merchant.id,
      key: PAGE_KEY_PREFIX + idempotencyKey,
    });
  });

  router.options('/storefront/carts', asPage, limitReads, respondToPreflight);

  router.get('/storefront/programs', asPage, limitReads, async (ctx) => {
    const merchant = await merchantOfKey(database.query, ctx.query['key']);
    const origin = ctx.get('origin');
    if (origin) requireRegistered(origin, await pageOriginsOf(database.query, merchant.id, mode));
    const document = JSON.stringify(await programDocument(database.query, merchant, clock.now()));
    const key = hash('sha256', document, 'base64');
    const file = programFiles.get(key) ?? staticContent(Buffer.from(document), '/programs.json', BROTLI_QUALITY);
    programFiles.set(key, file);
    file.send(ctx, 0);
    ctx.set('cache-control', PROGRAMS_CACHE);
  });

  return router;
}

/**
 * Returns the request to create a cart for a page. Visitors can edit it, so fields are removed that merchants would trust without
 * comparing them with the order (decisions/0025, 0030).
 */
function createCartRequest(options: CartOptions): CreateCartRequest {
  return { createdBy: CREATED_BY_PAGE, options: { ...options, ...MERCHANT_FIELDS } };
}

const MERCHANT_FIELDS = { createdBy: undefined, cartName: undefined, metadata: undefined, buyerId: undefined };

/** Presents a cart to the page that opened it. */
function presentOpenedCart({ id, code, expiresOn }: Cart, publicUrl: string): OpenedCart {
  return { id, url: checkoutUrl(publicUrl, code), expiration: expiresOn };
}

/** Response headers that pages may read. */
const EXPOSED = 'retry-after, x-request-id';

/** Longest time for which any browser caches a preflight response. */
const PREFLIGHT_SECONDS = 86_400;

/**
 * Allows pages of any merchant's registered origins to read the response, including errors. Does not check whether the origin belongs
 * to the merchant of the request, which may be in a body that cannot be parsed: routes check that.
 */
function allowPages({ query }: Readable, mode: Mode): Middleware {
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
const requirePage: Middleware = (ctx, next) => {
  if (!ctx.response.get('access-control-allow-origin')) requireRegistered(ctx.get('origin'), []);
  return next();
};

/** Responds to CORS preflight requests. Runs after `allowPages`. */
const respondToPreflight: Middleware = (ctx) => {
  ctx.set('allow', 'OPTIONS, POST');
  if (ctx.response.get('access-control-allow-origin')) {
    ctx.set('access-control-allow-methods', 'POST');
    ctx.set('access-control-allow-headers', 'content-type');
    ctx.set('access-control-max-age', String(PREFLIGHT_SECONDS));
  }
  ctx.status = 204;
};

/** Returns the merchant of a public API key. @throws ServiceError `unauthenticated` */
async function merchantOfKey(query: Query, key: unknown): Promise<CallingMerchant> {
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
function requireRegistered(origin: string, registered: readonly string[]): void {
  if (matchesOrigin(origin, registered)) return;
  const received = origin === '' ? 'no Origin header' : origin.slice(0, 100);
  throw new ServiceError('origin-not-registered', `Expected a page of a registered origin, but received ${received}`);
}
