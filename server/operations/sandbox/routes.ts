import Router from '@koa/router';
import { mask } from 'superstruct';
import { CheckoutRequest, ClockRequest, type MessagesResponse } from '../../../shared/wire/sandbox.ts';
import type { CheckoutDeps } from '../../checkout/session/deps.ts';
import { sandboxGateway } from '../../purchases/cards/sandbox-gateway.ts';
import type { State } from '../../http/context.ts';
import { readRecordedMessages } from '../../messages/messages.ts';
import { presentSettlement } from '../../purchases/settlements/present.ts';
import { settleToday } from '../../purchases/settlements/run.ts';
import { databaseOf, keyOf } from '../../merchants/idempotency/middleware.ts';
import { merchantOf } from '../../merchants/access/merchant-auth.ts';
import { instantOf, type MovableClock } from '../../base/time.ts';
import { runCheckout } from './run-checkout.ts';

/** Endpoints for the automated tests of merchants, only in the sandbox. Mounted below the merchant API's authentication. */
export function sandboxRoutes(checkoutDeps: Omit<CheckoutDeps, 'cards'>, clock: MovableClock): Router<State> {
  const { database } = checkoutDeps;
  // Test cards work independently of the configured card gateway. All test buyers are the same person.
  const deps = { ...checkoutDeps, cards: sandboxGateway, attemptLimits: undefined };
  const router = new Router<State>({ prefix: '/sandbox' });

  router.post('/checkouts', async (ctx) => {
    const { cartId, outcome } = mask(ctx.request.body, CheckoutRequest);
    // Only claims the idempotency key. The steps need no stored results: a retry continues from the state of the checkout.
    const isKeyed = keyOf(ctx) !== undefined;
    if (isKeyed) await databaseOf(ctx).write(() => Promise.resolve());
    const depsOfSteps = isKeyed ? deps : { ...deps, database: databaseOf(ctx) };
    const { transactionId } = await runCheckout(depsOfSteps, merchantOf(ctx).id, cartId, outcome, clock.now());
    ctx.body = { transactionId };
  });

  router.post('/clock', (ctx) => {
    const { now } = mask(ctx.request.body, ClockRequest);
    clock.moveTo(instantOf(Date.parse(now)));
    ctx.body = { now: clock.now() };
  });

  router.post('/settlements', async (ctx) => {
    const settlements = await settleToday(databaseOf(ctx), merchantOf(ctx).id, clock.now());
    ctx.body = { settlements: settlements.map(presentSettlement) };
  });

  router.get('/messages', async (ctx) => {
    const messages = await readRecordedMessages(database.query, merchantOf(ctx).id, MAX_MESSAGES);
    ctx.body = { messages } satisfies MessagesResponse;
  });

  return router;
}

const MAX_MESSAGES = 100;
