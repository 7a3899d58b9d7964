import { Router } from '@koa/router';
import { verifyCallback } from 'fairterm/client';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { create, nonempty, string, type } from 'superstruct';
import { confirmOrder } from './confirm.ts';
import { plainErrors } from './errors.ts';
import { note } from './orders.ts';
import type { Shop } from './shop.ts';

const Callback = type({ transactionId: nonempty(string()), orderRef: nonempty(string()) });

/**
 * Where the financing service reports a finished checkout. It repeats the report until a 2xx answers it.
 *
 * Without secrets anybody can report: still nothing happens that should not, because the transaction is read back from the
 * service, but whoever likes can make this shop ask.
 */
export function callbackRoutes({ fairterm, orders, callbackSecrets, log }: Shop): Router {
  const router = new Router();
  const json = bodyParser({ enableTypes: ['json'], jsonLimit: '4kb' });
  const reportIn = (ctx: Context) =>
    callbackSecrets.length > 0
      ? verifyCallback({
          body: (ctx.request.rawBody as string | undefined) ?? '',
          headers: ctx.headers,
          secrets: callbackSecrets,
        })
      : create(ctx.request.body, Callback);
  if (callbackSecrets.length === 0) log('Callbacks are taken without a signature: set CALLBACK_SECRETS to refuse made-up ones.');

  router.post('/financing/callback', plainErrors(log), json, async (ctx) => {
    const { transactionId, orderRef } = await reportIn(ctx);
    const order = orders.find(orderRef);
    if (!order) {
      ctx.status = 404;
      ctx.body = 'No such order';
      return;
    }

    order.callbackAt ??= new Date();
    note(order, `Callback for transaction ${transactionId}${callbackSecrets.length > 0 ? ', signature checked' : ''}`);
    await confirmOrder(fairterm, order, transactionId);
    ctx.status = 204;
  });

  return router;
}
