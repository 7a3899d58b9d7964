import Router from '@koa/router';
import { mask } from 'superstruct';
import { ActionRequest, OrderIdRequest, ShipmentRequest } from '../../../shared/wire/transaction.ts';
import type { Readable } from '../../db/database.ts';
import { type Context, type State, actorOf } from '../../http/context.ts';
import { databaseOf } from '../../merchants/idempotency/middleware.ts';
import { merchantOf } from '../../merchants/access/merchant-auth.ts';
import { linkNextPage } from '../../http/query.ts';
import type { Clock } from '../../base/time.ts';
import { readTransactionPage } from './list.ts';
import { presentAdjustments, presentTransaction, presentTransactions } from './present.ts';
import { getTransaction, listEntries, type Transaction, type TransactionRef } from './store.ts';
import type { Caller, Transactions } from './transactions.ts';

export interface TransactionRoutesOptions {
  database: Readable;
  transactions: Transactions;
  clock: Clock;
  /** Delivers at once what was enqueued. */
  wakeDelivery: () => void;
}

/** Merchant API for transactions. `app.ts` applies authentication and error mapping. */
export function transactionRoutes({ database, transactions, clock, wakeDelivery }: TransactionRoutesOptions): Router<State> {
  const router = new Router<State>({ prefix: '/transactions' });
  const refOf = (ctx: Context & { params: Record<string, string> }): TransactionRef => {
    const { id = '' } = ctx.params;
    return { merchantId: merchantOf(ctx).id, id };
  };
  const callerOf = (ctx: Context): Caller => ({ database: databaseOf(ctx), actor: actorOf(ctx) });

  const respond = async (ctx: Context, row: Transaction) => {
    ctx.body = await presentTransaction(database.query, row, clock.now());
  };

  router.get('/', async (ctx) => {
    const now = clock.now();
    const { query } = database;
    const { transactions: rows, next } = await readTransactionPage(query, transactions, merchantOf(ctx).id, ctx.query, now);
    if (next) linkNextPage(ctx, { after: next });
    ctx.body = { transactions: await presentTransactions(query, rows, now) };
  });

  router.get('/:id/adjustments', async (ctx) => {
    const { merchantId, id } = refOf(ctx);
    const transaction = await getTransaction(database.query, merchantId, id);
    ctx.body = { adjustments: presentAdjustments(transaction, await listEntries(database.query, id)) };
  });

  router.get('/:id', async (ctx) => {
    await respond(ctx, await transactions.get(database.query, refOf(ctx), clock.now()));
  });

  router.put('/:id', async (ctx) => {
    const request = mask(ctx.request.body, OrderIdRequest);
    await respond(ctx, await transactions.setOrderId(callerOf(ctx), refOf(ctx), request, clock.now()));
  });

  router.post('/actions/:id', async (ctx) => {
    const request = mask(ctx.request.body, ActionRequest);
    const row = await transactions.act(callerOf(ctx), refOf(ctx), request, clock.now());
    await respond(ctx, row);
    wakeDelivery();
  });

  router.post('/:id/shipment', async (ctx) => {
    const request = mask(ctx.request.body, ShipmentRequest);
    await respond(ctx, await transactions.updateShipment(callerOf(ctx), refOf(ctx), request, clock.now()));
  });

  return router;
}
