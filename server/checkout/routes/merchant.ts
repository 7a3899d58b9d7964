import Router from '@koa/router';
import type { State } from '../../http/context.ts';
import { databaseOf } from '../../merchants/idempotency/middleware.ts';
import { merchantOf } from '../../merchants/access/merchant-auth.ts';
import type { Clock } from '../../base/time.ts';
import { expireCart } from '../decision/actions.ts';
import type { CheckoutDeps } from '../session/deps.ts';

/** Merchant API that ends a link and its checkout. `app.ts` applies authentication and error mapping. */
export function linkExpiryRoutes({ mail }: Pick<CheckoutDeps, 'mail'>, clock: Clock): Router<State> {
  const router = new Router<State>({ prefix: '/carts' });

  router.post('/:id/expire', async (ctx) => {
    await expireCart({ database: databaseOf(ctx), mail }, merchantOf(ctx).id, ctx.params['id']!, clock.now());
    ctx.status = 204;
  });

  return router;
}
