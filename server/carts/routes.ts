import Router from '@koa/router';
import { mask } from 'superstruct';
import { CreateCartRequest, EmailCartRequest, type SharedCart, TextCartRequest } from '../../shared/wire/cart.ts';
import type { MessageLimits } from '../config/config.ts';
import type { Readable } from '../db/database.ts';
import { databaseOf } from '../http/idempotency.ts';
import { merchantOf } from '../http/merchant-auth.ts';
import type { CallbackRules } from '../notifications/callback-address.ts';
import type { Outlet, Outlets } from '../notifications/outbox.ts';
import { type Clock, dateOf } from '../time.ts';
import { createCart, expireCart, readCart } from './carts.ts';
import { presentCart } from './present.ts';
import { emailCart, textCart } from './sharing.ts';

export interface CartRoutesOptions {
  database: Readable;
  clock: Clock;
  publicUrl: string;
  outlets: Outlets;
  limits: MessageLimits;
  callbacks: CallbackRules;
  /** Called after a message was queued. */
  onShared: () => void;
}

/** The merchant API's carts. Mounted below authentication and error mapping. */
export function cartRoutes(options: CartRoutesOptions): Router {
  const { database, clock, publicUrl, outlets, limits, callbacks, onShared } = options;
  const router = new Router({ prefix: '/carts' });

  router.post('/', async (ctx) => {
    const request = mask(ctx.request.body, CreateCartRequest);
    const now = clock.now();
    const cart = await createCart(databaseOf(ctx), merchantOf(ctx), request, now, { callbacks });
    ctx.body = presentCart(cart, publicUrl, dateOf(now));
  });

  router.get('/:id', async (ctx) => {
    const now = clock.now();
    ctx.body = presentCart(await readCart(database.query, merchantOf(ctx), ctx.params['id']!, now), publicUrl, dateOf(now));
  });

  router.post('/:id/expire', async (ctx) => {
    await expireCart(databaseOf(ctx), merchantOf(ctx).id, ctx.params['id']!, clock.now());
    ctx.status = 204;
  });

  router.post('/:id/email', async (ctx) => {
    const request = mask(ctx.request.body, EmailCartRequest);
    const sharing = { publicUrl, outlet: outlets.email, limits, now: clock.now() };
    await emailCart(databaseOf(ctx), merchantOf(ctx), ctx.params['id']!, request, sharing);
    onShared();
    ctx.body = sharedCartResponse('e-mail', outlets.email);
  });

  router.post('/:id/text', async (ctx) => {
    const request = mask(ctx.request.body, TextCartRequest);
    const sharing = { publicUrl, outlet: outlets.text, limits, now: clock.now() };
    await textCart(databaseOf(ctx), merchantOf(ctx), ctx.params['id']!, request, sharing);
    onShared();
    ctx.body = sharedCartResponse('text', outlets.text);
  });

  return router;
}

function sharedCartResponse(what: string, outlet: Outlet): SharedCart {
  const message =
    outlet === 'sent'
      ? `The ${what} with the cart's link is on its way.`
      : `The sandbox recorded the ${what} and did not send it.`;
  return { message };
}
