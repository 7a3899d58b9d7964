import Router from '@koa/router';
import { mask } from 'superstruct';
import { CheckoutRequest, ClockRequest } from '../../shared/wire/sandbox.ts';
import type { CheckoutDeps } from '../checkout/deps.ts';
import { sandboxGateway } from '../cards/sandbox-gateway.ts';
import { sandboxLender } from '../lenders/sandbox-lender.ts';
import { databaseOf } from '../http/idempotency.ts';
import { merchantOf } from '../http/merchant-auth.ts';
import { instantOf, type MovableClock } from '../time.ts';
import { readMessages } from './messages.ts';
import { runCheckout } from './run-checkout.ts';

/** For merchants' own automated tests. Exists in the sandbox only, below the merchant API's authentication. */
export function sandboxRoutes(parts: Omit<CheckoutDeps, 'lender' | 'cards'>, clock: MovableClock): Router {
  const { database } = parts;
  // Test buyers and test cards are these, whatever lender and gateway the pages try out.
  const deps = { ...parts, lender: sandboxLender(), cards: sandboxGateway };
  const router = new Router({ prefix: '/sandbox' });

  router.post('/checkouts', async (ctx) => {
    const { cartId, outcome } = mask(ctx.request.body, CheckoutRequest);
    // Claims an idempotency key, if there is one, before the first step. The steps themselves are not remembered: each looks at where
    // the checkout is, so that a run after a crash continues from there.
    if (databaseOf(ctx) !== database) await databaseOf(ctx).write(() => Promise.resolve());
    const { transactionId } = await runCheckout(deps, merchantOf(ctx), cartId, outcome, clock.now());
    ctx.body = { transactionId };
  });

  router.post('/clock', (ctx) => {
    const { now } = mask(ctx.request.body, ClockRequest);
    clock.moveTo(instantOf(Date.parse(now)));
    ctx.body = { now: clock.now() };
  });

  router.get('/messages', async (ctx) => {
    ctx.body = await readMessages(database.query, merchantOf(ctx).id);
  });

  return router;
}
