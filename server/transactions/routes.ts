import Router from '@koa/router';
import { mask } from 'superstruct';
import { ActionRequest, OrderIdRequest, ShipmentRequest } from '../../shared/wire/transaction.ts';
import type { CardGateway } from '../cards/gateway.ts';
import type { Readable } from '../db/database.ts';
import { actorOf } from '../http/caller.ts';
import type { Context, State } from '../http/context.ts';
import { databaseOf } from '../http/idempotency.ts';
import { merchantOf } from '../http/merchant-auth.ts';
import type { Clock } from '../time.ts';
import { act, setOrderId, updateShipment, type TransactionDeps } from './actions.ts';
import { readTransactionAt } from './expire.ts';
import type { Lifetimes } from './lifecycle.ts';
import { presentTransaction } from './present.ts';
import type { TransactionRef, Transaction } from './store.ts';

export interface TransactionRoutesOptions {
  database: Readable;
  clock: Clock;
  lifetimes: Lifetimes;
  cards: CardGateway | undefined;
  /** Called when a card operation may have been enqueued. */
  onActed: () => void;
}

/** Merchant API for transactions. `app.ts` applies authentication and error mapping. */
export function transactionRoutes({ database, clock, lifetimes, cards, onActed }: TransactionRoutesOptions): Router<State> {
  const router = new Router<State>({ prefix: '/transactions' });
  const refOf = (ctx: Context & { params: Record<string, string> }): TransactionRef => {
    const { id = '' } = ctx.params;
    return { merchantId: merchantOf(ctx).id, id };
  };
  const depsOf = (ctx: Context): TransactionDeps => ({ database: databaseOf(ctx), lifetimes, cards, actor: actorOf(ctx) });

  router.get('/:id', async (ctx) => {
    respond(ctx, await readTransactionAt(database.query, lifetimes, refOf(ctx), clock.now()));
  });

  router.put('/:id', async (ctx) => {
    const request = mask(ctx.request.body, OrderIdRequest);
    respond(ctx, await setOrderId(depsOf(ctx), refOf(ctx), request, clock.now()));
  });

  router.post('/actions/:id', async (ctx) => {
    const request = mask(ctx.request.body, ActionRequest);
    const row = await act(depsOf(ctx), refOf(ctx), request, clock.now());
    respond(ctx, row);
    if (row.cardCents > 0) onActed();
  });

  router.post('/:id/shipment', async (ctx) => {
    const request = mask(ctx.request.body, ShipmentRequest);
    respond(ctx, await updateShipment(depsOf(ctx), refOf(ctx), request, clock.now()));
  });

  return router;
}

function respond(ctx: Context, row: Transaction): void {
  ctx.type = 'json';
  ctx.body = presentTransaction(row);
}
