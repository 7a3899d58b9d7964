import Router from '@koa/router';
import type { Context } from 'koa';
import { mask } from 'superstruct';
import { ActionRequest, OrderIdRequest, ShipmentRequest } from '../../shared/wire/transaction.ts';
import type { CardGateway } from '../cards/gateway.ts';
import type { Readable } from '../db/database.ts';
import { databaseOf } from '../http/idempotency.ts';
import { merchantOf } from '../http/merchant-auth.ts';
import type { Clock } from '../time.ts';
import { act } from './actions.ts';
import { setOrderId, ship } from './details.ts';
import { readTransactionAt } from './expire.ts';
import type { Lifetimes } from './lifecycle.ts';
import type { TransactionDeps, TransactionName } from './deps.ts';
import { presentTransaction } from './present.ts';
import type { TransactionRow } from './store.ts';

export interface TransactionRoutesOptions {
  database: Readable;
  clock: Clock;
  lifetimes: Lifetimes;
  /** Undefined where no card can be charged. */
  cards: CardGateway | undefined;
  /** Told that something may have been promised to the card gateway. Looking for it costs more than most actions do. */
  onActed: () => void;
}

/** The merchant API's transactions. Mounted below authentication and error mapping. */
export function transactionRoutes({ database, clock, lifetimes, cards, onActed }: TransactionRoutesOptions): Router {
  const router = new Router({ prefix: '/transactions' });
  /** Whose transaction the path names. */
  const named = (ctx: Context & { params: Record<string, string> }): TransactionName => {
    const { id = '' } = ctx.params;
    return { merchantId: merchantOf(ctx).id, id };
  };
  const meansOf = (ctx: Context): TransactionDeps => ({ database: databaseOf(ctx), lifetimes, cards });

  router.get('/:id', async (ctx) => {
    answer(ctx, await readTransactionAt(database.query, lifetimes, named(ctx), clock.now()));
  });

  router.put('/:id', async (ctx) => {
    const request = mask(ctx.request.body, OrderIdRequest);
    answer(ctx, await setOrderId(meansOf(ctx), named(ctx), request, clock.now()));
  });

  router.post('/actions/:id', async (ctx) => {
    const request = mask(ctx.request.body, ActionRequest);
    const row = await act(meansOf(ctx), named(ctx), request, clock.now());
    answer(ctx, row);
    if (row.card_cents > 0) onActed();
  });

  router.post('/:id/shipment', async (ctx) => {
    const request = mask(ctx.request.body, ShipmentRequest);
    answer(ctx, await ship(meansOf(ctx), named(ctx), request, clock.now()));
  });

  return router;
}

function answer(ctx: Context, row: TransactionRow): void {
  ctx.type = 'json';
  ctx.body = presentTransaction(row);
}
