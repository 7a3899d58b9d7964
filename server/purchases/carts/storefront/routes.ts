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
import type { Database } from '../../../db/database.ts';
import { type BodyLimits, jsonBody } from '../../../http/body.ts';
import type { State } from '../../../http/context.ts';
import { staticContent, type StaticFile } from '../../../http/static-files.ts';
import { respondOnce, databaseOf } from '../../../merchants/idempotency/middleware.ts';
import {
  allowPages,
  respondToPreflight,
  merchantOfKey,
  requirePage,
  requireRegistered,
} from '../../../merchants/access/page-access.ts';
import { limitByAddress, type RateLimiters, requireWithin } from '../../../http/rate-limit.ts';
import { pageOriginsOf } from '../../../merchants/merchants.ts';
import { callbacksOf } from '../../../merchants/store.ts';
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
