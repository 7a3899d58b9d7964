import { Router } from '@koa/router';
import { verifyCallback } from '@fairterm/client';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { create, nonempty, string, type } from 'superstruct';
import { confirmOrder } from './confirm.ts';
import { plainTextErrors } from './errors.ts';
import type { Shop } from './shop.ts';

const Callback = type({ transactionId: nonempty(string()), orderRef: nonempty(string()) });

/**
 * Receives the callback of a completed checkout. The service retries it until the response is 2xx.
 *
 * Without secrets, anyone can send a callback and cause requests to the service. Orders are still safe, because the transaction is
 * retrieved from the service before it is authorized.
 */
export function callbackRoutes(shop: Shop): Router {
  const { orders, callbackSecrets, log } = shop;
  const router = new Router();
  const json = bodyParser({ enableTypes: ['json'], jsonLimit: '4kb' });
  const readCallback = (ctx: Context) =>
    callbackSecrets.length > 0
      ? verifyCallback({
          body: rawBodyOf(ctx),
          headers: ctx.headers,
          secrets: callbackSecrets,
        })
      : create(ctx.request.body, Callback);
  if (callbackSecrets.length === 0)
    log('Callbacks are accepted without a signature. Set CALLBACK_SECRETS to reject forged ones.');

  router.post('/financing/callback', plainTextErrors(log), json, async (ctx) => {
    const { transactionId, orderRef } = await readCallback(ctx);
    const order = orders.find(orderRef);
    if (!order || !(await confirmOrder(shop, order, transactionId))) {
      ctx.status = 404;
      ctx.body = 'Unknown order';
      return;
    }

    ctx.status = 204;
  });

  return router;
}

/** Returns the body as received. The parser sets it to an object for other content types. */
function rawBodyOf(ctx: Context): string {
  return typeof ctx.request.rawBody === 'string' ? ctx.request.rawBody : '';
}
