import Router from '@koa/router';
import { mask } from 'superstruct';
import { CreateCartRequest, EmailCartRequest, type SharedCart, TextCartRequest } from '../../../shared/wire/cart.ts';
import type { Readable } from '../../db/database.ts';
import type { State } from '../../http/context.ts';
import { databaseOf } from '../../merchants/idempotency/middleware.ts';
import { merchantOf } from '../../merchants/access/merchant-auth.ts';
import { linkNextPage } from '../../http/query.ts';
import type { CallbackRules } from '../../messages/callback-address.ts';
import type { MessageHandling } from '../../messages/outbox.ts';
import type { Clock } from '../../base/time.ts';
import { createCart, readCart } from './carts.ts';
import { readCartPage } from './list.ts';
import { presentCart } from './present.ts';
import { emailCart, type SharingOptions, textCart } from './sharing.ts';

export interface CartRoutesOptions extends SharingOptions {
  database: Readable;
  clock: Clock;
  callbacks: CallbackRules;
  /** Delivers at once what was enqueued. */
  wakeDelivery: () => void;
}

/** Routes of the merchant API for carts. `app.ts` applies authentication and error mapping. */
export function cartRoutes(options: CartRoutesOptions): Router<State> {
  const { database, clock, mail, callbacks, wakeDelivery } = options;
  const { publicUrl } = mail;
  const router = new Router<State>({ prefix: '/carts' });

  router.post('/', async (ctx) => {
    const request = mask(ctx.request.body, CreateCartRequest);
    const now = clock.now();
    const cart = await createCart(databaseOf(ctx), merchantOf(ctx), request, now, { callbacks });
    ctx.body = presentCart(cart, publicUrl, now);
  });

  router.get('/', async (ctx) => {
    const now = clock.now();
    const { carts, next } = await readCartPage(database.query, merchantOf(ctx).id, ctx.query, now);
    if (next) linkNextPage(ctx, { after: next });
    ctx.body = { carts: carts.map((cart) => presentCart(cart, publicUrl, now)) };
  });

  router.get('/:id', async (ctx) => {
    const now = clock.now();
    ctx.body = presentCart(await readCart(database.query, merchantOf(ctx).id, ctx.params['id']!, now), publicUrl, now);
  });

  router.post('/:id/email', async (ctx) => {
    const request = mask(ctx.request.body, EmailCartRequest);
    await emailCart(databaseOf(ctx), merchantOf(ctx).id, ctx.params['id']!, request, options, clock.now());
    wakeDelivery();
    ctx.body = sharedCartResponse('e-mail', mail.handling);
  });

  router.post('/:id/text', async (ctx) => {
    const request = mask(ctx.request.body, TextCartRequest);
    await textCart(databaseOf(ctx), merchantOf(ctx).id, ctx.params['id']!, request, options, clock.now());
    wakeDelivery();
    ctx.body = sharedCartResponse('text', mail.textHandling);
  });

  return router;
}

function sharedCartResponse(what: string, handling: MessageHandling): SharedCart {
  const message =
    handling === 'sent'
      ? `The ${what} with the cart's link is on its way.`
      : `The sandbox recorded the ${what} and did not send it.`;
  return { message };
}
