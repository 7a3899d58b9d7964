import Router from '@koa/router';
import { mask } from 'superstruct';
import { CreateCartRequest, EmailCartRequest, type SharedCart, TextCartRequest } from '../../../shared/wire/cart.ts';
import type { Operator } from '../../base/config/operator.ts';
import type { MessageLimits } from '../../base/config/config.ts';
import type { Readable } from '../../db/database.ts';
import type { State } from '../../http/context.ts';
import { databaseOf } from '../../merchants/idempotency/middleware.ts';
import { merchantOf } from '../../merchants/access/merchant-auth.ts';
import { linkNextPage } from '../../http/query.ts';
import type { CallbackRules } from '../../messages/callback-address.ts';
import type { MessageHandling, HandlingByChannel } from '../../messages/outbox.ts';
import type { Clock } from '../../base/time.ts';
import { createCart, readCart } from './carts.ts';
import { readCartPage } from './list.ts';
import { presentCart } from './present.ts';
import { emailCart, textCart } from './sharing.ts';

export interface CartRoutesOptions {
  database: Readable;
  clock: Clock;
  publicUrl: string;
  operator: Operator;
  messageHandlings: HandlingByChannel;
  limits: MessageLimits;
  callbacks: CallbackRules;
  /** Called after a message was queued. */
  wakeDelivery: () => void;
}

/** Routes of the merchant API for carts. `app.ts` applies authentication and error mapping. */
export function cartRoutes(options: CartRoutesOptions): Router<State> {
  const { database, clock, publicUrl, operator, messageHandlings, limits, callbacks, wakeDelivery } = options;
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
    if (next) linkNextPage(ctx, `${publicUrl}/carts`, { after: next });
    ctx.body = { carts: carts.map((cart) => presentCart(cart, publicUrl, now)) };
  });

  router.get('/:id', async (ctx) => {
    const now = clock.now();
    ctx.body = presentCart(await readCart(database.query, merchantOf(ctx), ctx.params['id']!, now), publicUrl, now);
  });

  router.post('/:id/email', async (ctx) => {
    const request = mask(ctx.request.body, EmailCartRequest);
    const sharing = { publicUrl, operator, handling: messageHandlings.email, limits, now: clock.now() };
    await emailCart(databaseOf(ctx), merchantOf(ctx), ctx.params['id']!, request, sharing);
    wakeDelivery();
    ctx.body = sharedCartResponse('e-mail', messageHandlings.email);
  });

  router.post('/:id/text', async (ctx) => {
    const request = mask(ctx.request.body, TextCartRequest);
    const sharing = { publicUrl, operator, handling: messageHandlings.text, limits, now: clock.now() };
    await textCart(databaseOf(ctx), merchantOf(ctx), ctx.params['id']!, request, sharing);
    wakeDelivery();
    ctx.body = sharedCartResponse('text', messageHandlings.text);
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
