import Router from '@koa/router';
import { mask } from 'superstruct';
import { ActionRequest, OrderIdRequest, ShipmentRequest } from '../../../shared/wire/transaction.ts';
import type { CardGateway } from '../cards/gateway.ts';
import type { Readable } from '../../db/database.ts';
import { actorOf } from '../../http/caller.ts';
import type { Context, State } from '../../http/context.ts';
import { databaseOf } from '../../merchants/idempotency/middleware.ts';
import { merchantOf } from '../../merchants/access/merchant-auth.ts';
import { linkNextPage } from '../../http/query.ts';
import type { Clock } from '../../base/time.ts';
import { act, setOrderId, updateShipment, type TransactionDeps } from './actions.ts';
import { readTransactionAt } from './expire.ts';
import type { LoanEmailOptions } from './loan-email.ts';
import type { Lifetimes } from './lifecycle.ts';
import { readTransactionPage } from './list.ts';
import { presentAdjustments, presentTransaction, presentTransactions } from './present.ts';
import { getTransaction, listEntries, type Transaction, type TransactionRef } from './store.ts';

export interface TransactionRoutesOptions {
  database: Readable;
  clock: Clock;
  /** Public URL of the service, without a trailing slash. */
  publicUrl: string;
  lifetimes: Lifetimes;
  loanEmails: LoanEmailOptions;
  cards: CardGateway | undefined;
  /** Called when a card operation or an event for the lender may have been enqueued. */
  onActed: () => void;
}

/** Merchant API for transactions. `app.ts` applies authentication and error mapping. */
export function transactionRoutes({
  database,
  clock,
  publicUrl,
  lifetimes,
  loanEmails,
  cards,
  onActed,
}: TransactionRoutesOptions): Router<State> {
  const router = new Router<State>({ prefix: '/transactions' });
  const refOf = (ctx: Context & { params: Record<string, string> }): TransactionRef => {
    const { id = '' } = ctx.params;
    return { merchantId: merchantOf(ctx).id, id };
  };
  const depsOf = (ctx: Context): TransactionDeps => ({
    database: databaseOf(ctx),
    lifetimes,
    loanEmails,
    cards,
    actor: actorOf(ctx),
  });

  const respond = async (ctx: Context, row: Transaction) => {
    ctx.body = await presentTransaction(database.query, row, clock.now());
    ctx.type = 'json';
  };

  router.get('/', async (ctx) => {
    const now = clock.now();
    const { query } = database;
    const { transactions, next } = await readTransactionPage(query, lifetimes, merchantOf(ctx).id, ctx.query, now);
    if (next) linkNextPage(ctx, `${publicUrl}/transactions`, { after: next });
    ctx.body = { transactions: await presentTransactions(query, transactions, now) };
  });

  router.get('/:id/adjustments', async (ctx) => {
    const { merchantId, id } = refOf(ctx);
    const transaction = await getTransaction(database.query, merchantId, id);
    ctx.body = { adjustments: presentAdjustments(transaction, await listEntries(database.query, id)) };
  });

  router.get('/:id', async (ctx) => {
    await respond(ctx, await readTransactionAt(database.query, lifetimes, refOf(ctx), clock.now()));
  });

  router.put('/:id', async (ctx) => {
    const request = mask(ctx.request.body, OrderIdRequest);
    await respond(ctx, await setOrderId(depsOf(ctx), refOf(ctx), request, clock.now()));
  });

  router.post('/actions/:id', async (ctx) => {
    const request = mask(ctx.request.body, ActionRequest);
    const row = await act(depsOf(ctx), refOf(ctx), request, clock.now());
    await respond(ctx, row);
    onActed();
  });

  router.post('/:id/shipment', async (ctx) => {
    const request = mask(ctx.request.body, ShipmentRequest);
    await respond(ctx, await updateShipment(depsOf(ctx), refOf(ctx), request, clock.now()));
  });

  return router;
}
