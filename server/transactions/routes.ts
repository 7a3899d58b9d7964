import Router from '@koa/router';
import { mask } from 'superstruct';
import { ActionRequest } from '../../shared/wire/transaction.ts';
import type { Database } from '../db/database.ts';
import { merchantOf } from '../http/merchant-auth.ts';
import type { Clock } from '../time.ts';
import { act } from './actions.ts';
import { presentTransaction } from './present.ts';
import { getTransaction } from './store.ts';

/** The merchant API's transactions. Mounted below authentication and error mapping. */
export function transactionRoutes(database: Database, clock: Clock): Router {
  const router = new Router({ prefix: '/transactions' });

  router.get('/:id', async (ctx) => {
    ctx.body = presentTransaction(await getTransaction(database.query, merchantOf(ctx).id, ctx.params['id']!));
  });

  router.post('/actions/:id', async (ctx) => {
    const request = mask(ctx.request.body, ActionRequest);
    ctx.body = presentTransaction(await act(database, merchantOf(ctx).id, ctx.params['id']!, request, clock.now()));
  });

  return router;
}
