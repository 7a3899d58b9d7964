import { createHash } from 'node:crypto';
import Router from '@koa/router';
import { programDocument } from '../as-low-as/programs.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { findMerchantByKey, originsOf } from '../merchants/store.ts';
import { type Clock, dateOf } from '../time.ts';

/** How long a page may quote from the programs it has, and for how long it may go on while it asks again. */
const PROGRAMS_CACHE = 'public, max-age=60, stale-while-revalidate=86400';

/** The few calls a page makes without a secret. */
export function storefrontRoutes(database: Database, clock: Clock): Router {
  const router = new Router();

  router.get('/storefront/programs', async (ctx) => {
    const { key } = ctx.query;
    const found = typeof key === 'string' && isPlausibleKey(key) ? await findMerchantByKey(database.query, key) : undefined;
    if (!found) throw new ServiceError('unauthenticated', 'Expected `key` to be the API key of a merchant.');
    ctx.vary('origin');
    const origin = ctx.get('origin');
    if (origin) {
      const registered = await originsOf(database.query, found.merchant.id);
      if (!registered.includes(origin)) {
        throw new ServiceError('origin-not-registered', `Expected a page of a registered origin, but received ${origin}`);
      }
      ctx.set('access-control-allow-origin', origin);
    }
    const body = JSON.stringify(await programDocument(database.query, found.merchant, dateOf(clock.now())));
    ctx.set('cache-control', PROGRAMS_CACHE);
    ctx.etag = createHash('sha256').update(body).digest('base64url');
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'json';
    ctx.body = body;
  });

  return router;
}

/** Whether it could be one of our keys: anything else need not be looked for. */
function isPlausibleKey(key: string): boolean {
  return /^[\w-]{1,80}$/.test(key);
}
