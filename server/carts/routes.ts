import Router from '@koa/router';
import { mask } from 'superstruct';
import { CreateCartRequest } from '../../shared/wire/cart.ts';
import type { Readable } from '../db/database.ts';
import { databaseOf } from '../http/idempotency.ts';
import { merchantOf } from '../http/merchant-auth.ts';
import { type Clock, dateOf } from '../time.ts';
import { createCart, readCart } from './carts.ts';
import { presentCart } from './present.ts';

/** The merchant API's carts. Mounted below authentication and error mapping. */
export function cartRoutes(database: Readable, clock: Clock, publicUrl: string): Router {
  const router = new Router({ prefix: '/carts' });

  router.post('/', async (ctx) => {
    const request = mask(ctx.request.body, CreateCartRequest);
    const now = clock.now();
    ctx.body = presentCart(await createCart(databaseOf(ctx), merchantOf(ctx), request, now), publicUrl, dateOf(now));
  });

  router.get('/:id', async (ctx) => {
    const now = clock.now();
    ctx.body = presentCart(await readCart(database.query, merchantOf(ctx), ctx.params['id']!, now), publicUrl, dateOf(now));
  });

  return router;
}
