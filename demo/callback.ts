import { Router } from '@koa/router';
import bodyParser from 'koa-bodyparser';
import { create, nonempty, string, type } from 'superstruct';
import { confirmOrder } from './confirm.ts';
import { plainErrors } from './errors.ts';
import { note } from './orders.ts';
import type { Shop } from './shop.ts';

const Callback = type({ transactionId: nonempty(string()), orderRef: nonempty(string()) });

/** Where the financing service reports a finished checkout. It repeats the report until a 2xx answers it. */
export function callbackRoutes({ fairterm, orders, log }: Shop): Router {
  const router = new Router();
  const json = bodyParser({ enableTypes: ['json'], jsonLimit: '4kb' });

  router.post('/financing/callback', plainErrors(log), json, async (ctx) => {
    const { transactionId, orderRef } = create(ctx.request.body, Callback);
    const order = orders.find(orderRef);
    if (!order) {
      ctx.status = 404;
      ctx.body = 'No such order';
      return;
    }

    order.callbackAt ??= new Date();
    note(order, `Callback for transaction ${transactionId}`);
    await confirmOrder(fairterm, order, transactionId);
    ctx.status = 204;
  });

  return router;
}
