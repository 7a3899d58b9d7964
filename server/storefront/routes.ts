import Router from '@koa/router';
import type { Middleware } from 'koa';
import { mask } from 'superstruct';
import { OpenCartRequest } from '../../shared/wire/storefront.ts';
import { programDocument } from '../as-low-as/programs.ts';
import { createCart } from '../carts/carts.ts';
import type { Database } from '../db/database.ts';
import { type BodyLimits, jsonBody } from '../http/body.ts';
import { sendCacheable } from '../http/static-files.ts';
import { respondOnce, databaseOf } from '../http/idempotency.ts';
import { allowPages, respondToPreflight, merchantOfKey, requirePage, requireRegistered } from '../http/page-access.ts';
import { limitByAddress, type RateLimiters, requireWithin } from '../http/rate-limit.ts';
import { pageOriginsOf } from '../merchants/merchants.ts';
import type { Mode } from '../mode.ts';
import { type Clock, dateOf } from '../time.ts';
import { presentOpenedCart, requestOfPage } from './opened-cart.ts';

/** How long a page may quote from the programs it has, and for how long it may go on while it asks again. */
const PROGRAMS_CACHE = 'public, max-age=60, stale-while-revalidate=86400';

/** A cart of a hundred articles with long addresses stays below this. */
const CART_LIMITS: BodyLimits = { maxBytes: 131_072, allowCompression: true };

/** What the idempotency keys of pages begin with: no key of the merchant API has a line break in it. */
const OF_PAGES = 'storefront\n';

export interface StorefrontOptions {
  database: Database;
  clock: Clock;
  /** The machine's clock, which idempotency keys expire by. */
  realClock: Clock;
  publicUrl: string;
  limits: RateLimiters;
  mode: Mode;
  /** Whether a proxy sets the client's address. */
  trustProxy: boolean;
  /** Has carts of pages wait for one another. */
  takeTurn: Middleware;
}

/** The few calls a page makes without a secret. */
export function storefrontRoutes({
  database,
  clock,
  realClock,
  publicUrl,
  limits,
  mode,
  trustProxy,
  takeTurn,
}: StorefrontOptions): Router {
  const router = new Router();
  const asPage = allowPages(database, mode);
  const limitReads = limitByAddress(limits.readsPerAddress, trustProxy);
  const limitCarts = limitByAddress(limits.cartsPerAddress, trustProxy);

  router.post('/storefront/carts', asPage, limitCarts, requirePage, jsonBody(CART_LIMITS), takeTurn, async (ctx) => {
    const { key, idempotencyKey, options } = mask(ctx.request.body, OpenCartRequest);
    const merchant = await merchantOfKey(database.query, key);
    const onlyOrigins = await pageOriginsOf(database.query, merchant.id, mode);
    requireRegistered(ctx.get('origin'), onlyOrigins);
    requireWithin(ctx, limits.cartsPerMerchant, merchant.id);

    const openCart = async () => {
      const { cart } = await createCart(databaseOf(ctx), merchant, requestOfPage(options), clock.now(), { onlyOrigins });
      ctx.body = presentOpenedCart(cart, publicUrl);
    };
    await respondOnce(ctx, openCart, { database, clock: realClock, merchantId: merchant.id, key: OF_PAGES + idempotencyKey });
  });

  router.options('/storefront/carts', asPage, limitReads, respondToPreflight);

  router.get('/storefront/programs', asPage, limitReads, async (ctx) => {
    const merchant = await merchantOfKey(database.query, ctx.query['key']);
    const origin = ctx.get('origin');
    if (origin) requireRegistered(origin, await pageOriginsOf(database.query, merchant.id, mode));
    const body = JSON.stringify(await programDocument(database.query, merchant, dateOf(clock.now())));
    sendCacheable(ctx, 'json', body, PROGRAMS_CACHE);
  });

  return router;
}
