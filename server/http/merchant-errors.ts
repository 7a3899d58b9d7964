import type { Middleware } from 'koa';
import { StructError } from 'superstruct';
import { type Refusal, ServiceError } from '../errors.ts';

/**
 * How the merchant API words each refusal. Rows marked * are ours, because the interface does not show them
 * (see decisions/0002).
 */
export const statusOf = {
  unauthenticated: 401,
  'https-required': 403, // *
  'origin-not-registered': 403, // * storefront only
  'invalid-request': 400, // * shown only for order ids and carts
  'unknown-path': 404, // *
  'method-not-allowed': 405, // *
  'body-too-large': 413, // *
  'program-not-found': 400, // *
  'cart-not-found': 404, // *
  'cart-closed': 400, // *
  'transaction-not-found': 500,
  'wrong-state': 500, // *
  'amount-too-large': 500, // *
  'quantity-too-large': 500, // *
  'line-items-in-use': 500, // *
  'card-declined': 500,
  'not-approved': 422, // * sandbox only
  'changed-meanwhile': 500, // *
  'idempotency-key-in-use': 409, // *
  'idempotency-key-reused': 422, // *
} as const satisfies Record<Refusal, number>;

/** Refusals whose body production clients compare as a whole, so that nothing may stand in it beside the interface's three fields. */
export const BARE: ReadonlySet<Refusal> = new Set<Refusal>(['transaction-not-found']);

/**
 * Turns whatever is thrown below it, and every path or method nobody answered, into the merchant API's error body.
 *
 * @see Interface, "Errors": `description`, `error` and `type`; `code` is added beside them.
 */
export const merchantErrors: Middleware = async (ctx, next) => {
  try {
    await next();
    if (ctx.status === 404 && ctx.body === undefined) throw new ServiceError('unknown-path', `There is nothing at ${ctx.path}`);
    if (ctx.status === 405 || ctx.status === 501) {
      throw new ServiceError('method-not-allowed', `${ctx.method} is not possible here; allowed: ${ctx.response.get('allow')}`);
    }
  } catch (thrown) {
    const refused = thrown instanceof StructError ? new ServiceError('invalid-request', thrown.message) : thrown;
    const known = refused instanceof ServiceError;

    ctx.status = known ? statusOf[refused.refusal] : 500;
    ctx.body = {
      description: known ? refused.message : 'Something went wrong on our side.',
      error: true,
      type: 'INTERNAL_ERROR',
      ...(known && !BARE.has(refused.refusal) && { code: refused.refusal }),
    };
    if (!known) ctx.app.emit('error', thrown, ctx);
  }
};
