import { Router } from '@koa/router';
import { verifyCallback } from 'fairterm/client';
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
export function callbackRoutes({ fairterm, orders, callbackSecrets, log }: Shop): Router {
  const router = new Router();
  const json = bodyParser({ enableTypes: ['json'], jsonLimit: '4kb' });
  const readCallback = (ctx: Context) =>
    callbackSecrets.length > 0
      ? verifyCallback({
          body: typeof ctx.request.rawBody === 'string' ? ctx.request.rawBody : '',
          headers: ctx.headers,
          secrets: callbackSecrets,
        })
      : create(ctx.request.body, Callback);
  if (callbackSecrets.length === 0)
    log('Callbacks are accepted without a signature. Set CALLBACK_SECRETS to reject forged ones.');

  router.post('/financing/callback', plainTextErrors(log), json, async (ctx) => {
    const { transactionId, orderRef } = await readCallback(ctx);
    const order = orders.find(orderRef);
    const event = `Callback for transaction ${transactionId}${callbackSecrets.length > 0 ? ', signature verified' : ''}`;
    if (!order || !(await confirmOrder(fairterm, order, transactionId, event))) {
      ctx.status = 404;
      ctx.body = 'Unknown order';
      return;
    }

    order.callbackAt ??= new Date();
    ctx.status = 204;
  });

  return router;
}
